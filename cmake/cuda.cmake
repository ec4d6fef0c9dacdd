# GEOFACT_CUDA: the target geofact::gpu, and tests of it. On in the top-level project where nvcc is found, which may be off
# the PATH.
find_program(GEOFACT_NVCC nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
set(has_nvcc OFF)
if(CMAKE_CUDA_COMPILER OR DEFINED ENV{CUDACXX} OR GEOFACT_NVCC)
  set(has_nvcc ON)
endif()
if(NOT PROJECT_IS_TOP_LEVEL)
  set(has_nvcc OFF)
endif()
option(GEOFACT_CUDA "The CUDA backend: target geofact::gpu" ${has_nvcc})
if(NOT GEOFACT_CUDA)
  return()
endif()

if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND GEOFACT_NVCC)
  set(CMAKE_CUDA_COMPILER ${GEOFACT_NVCC})
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES all-major) # "native" fails where there is no GPU
endif()
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)

# What a program links to train and recall on a GPU. CMake 3.25 does not know that nvcc 13 speaks C++20; nvcc would
# de-vectorise the host code of an Eigen that knows of CUDA.
add_library(geofact_gpu INTERFACE)
add_library(geofact::gpu ALIAS geofact_gpu)
target_link_libraries(geofact_gpu INTERFACE geofact::geofact CUDA::cudart CUDA::cublas)
target_compile_options(geofact_gpu INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
target_compile_definitions(geofact_gpu INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:EIGEN_NO_CUDA>)
