# The headers, and a package that find_package(geofact) finds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/geofact)

install(TARGETS geofact EXPORT geofact FILE_SET HEADERS)
install(EXPORT geofact NAMESPACE geofact:: FILE geofactTargets.cmake DESTINATION ${package_dir})

file(CONFIGURE OUTPUT geofactConfig.cmake @ONLY CONTENT [[
include(CMakeFindDependencyMacro)
find_dependency(Eigen3 3.4 NO_MODULE)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/geofactTargets.cmake)
]])
write_basic_package_version_file(geofactConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/geofactConfig.cmake ${PROJECT_BINARY_DIR}/geofactConfigVersion.cmake
  DESTINATION ${package_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
