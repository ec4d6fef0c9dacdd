# How this repository compiles its own code: tests, examples, benchmarks and the check that each header stands alone.
# Not read by a project that uses the library.
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Target all_verify_interface_header_sets compiles each header by itself.
set_target_properties(geofact PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON INTERFACE_HEADER_SETS_TO_VERIFY HEADERS)

find_program(ccache ccache)
if(ccache AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ccache})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${ccache})
endif()

# The presets dev, asan and clang make errors of these.
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wconversion;-Wsign-conversion;-Wshadow>")
# Optimising, g++ 12 calls the AVX-512 intrinsics under Eigen uninitialised (GCC bug 105593) and Eigen's loops endless.
add_compile_options("$<$<AND:$<CONFIG:Release>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:\
-Wno-maybe-uninitialized;-Wno-uninitialized;-Wno-aggressive-loop-optimizations>")
# Left alone, g++ spends a sixth of its time collecting garbage; this is the heap, in kB, that it may fill before.
add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1000000>")
# Theorems at tiny sizes are checked in constant expressions; the compilers' own limits stop them too early.
add_compile_options(
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fconstexpr-steps=100000000>
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fconstexpr-ops-limit=1000000000;-fconstexpr-loop-limit=1000000>")

# Eigen's own switch. The library has threads of its own, so let the BLAS use one: OPENBLAS_NUM_THREADS=1.
option(GEOFACT_BLAS "Run the matrix products of examples, tests and benchmarks through a BLAS" OFF)
if(GEOFACT_BLAS)
  find_package(BLAS REQUIRED)
  add_compile_definitions(EIGEN_USE_BLAS)
  link_libraries(BLAS::BLAS)
endif()
