# The headers, and a package that find_package(geofact) finds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/geofact)

install(TARGETS geofact EXPORT geofact FILE_SET HEADERS FILE_SET cuda_headers)
install(EXPORT geofact NAMESPACE geofact:: FILE geofactTargets.cmake DESTINATION ${package_dir})

file(CONFIGURE OUTPUT geofactConfig.cmake @ONLY CONTENT [[
include(CMakeFindDependencyMacro)
find_dependency(Eigen3 3.4 NO_MODULE)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/geofactTargets.cmake)
# find_package(geofact COMPONENTS instances): geofact::instances, built with the project.
if("instances" IN_LIST geofact_FIND_COMPONENTS AND NOT TARGET geofact::instances)
  include(${CMAKE_CURRENT_LIST_DIR}/instances.cmake)
  set(geofact_instances_FOUND ON)
endif()
# find_package(geofact COMPONENTS gpu): geofact::gpu, with the CUDA Toolkit.
if("gpu" IN_LIST geofact_FIND_COMPONENTS AND NOT TARGET geofact::gpu)
  find_dependency(CUDAToolkit)
  add_library(geofact::gpu INTERFACE IMPORTED)
  target_link_libraries(geofact::gpu INTERFACE geofact::geofact CUDA::cudart CUDA::cublas)
  target_compile_options(geofact::gpu INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
  target_compile_definitions(geofact::gpu INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:EIGEN_NO_CUDA>)
  set(geofact_gpu_FOUND ON)
endif()
]])
write_basic_package_version_file(geofactConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/geofactConfig.cmake ${PROJECT_BINARY_DIR}/geofactConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/instances.cmake DESTINATION ${package_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
