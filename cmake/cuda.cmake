# GEOFACT_CUDA: compiles what needs nvcc (target geofact::gpu is there without it too). On in the top-level project where
# nvcc is found, which may be off the PATH.
find_program(GEOFACT_NVCC nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
set(has_nvcc OFF)
if(CMAKE_CUDA_COMPILER OR DEFINED ENV{CUDACXX} OR GEOFACT_NVCC)
  set(has_nvcc ON)
endif()
if(NOT PROJECT_IS_TOP_LEVEL)
  set(has_nvcc OFF)
endif()
option(GEOFACT_CUDA "Compile the CUDA backend in tests and benchmarks" ${has_nvcc})

if(GEOFACT_CUDA)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND GEOFACT_NVCC)
    set(CMAKE_CUDA_COMPILER ${GEOFACT_NVCC})
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES all-major) # "native" fails where there is no GPU
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
endif()

# What a program links to train and recall on a GPU: sources in C++ and CUDA, the latter may include Eigen.
add_library(geofact_gpu INTERFACE)
add_library(geofact::gpu ALIAS geofact_gpu)
target_link_libraries(geofact_gpu INTERFACE geofact::geofact)
if(GEOFACT_CUDA)
  target_link_libraries(geofact_gpu INTERFACE CUDA::cudart CUDA::cublas)
  # CMake 3.25 does not know that nvcc 13 speaks C++20. EIGEN_NO_CUDA: nvcc would de-vectorise Eigen's host code.
  target_compile_options(geofact_gpu INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
  target_compile_definitions(geofact_gpu INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:EIGEN_NO_CUDA>)
endif()
