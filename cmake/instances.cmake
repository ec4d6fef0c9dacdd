# geofact::instances: what takes long to compile, compiled once for all programs of a project that link it (see
# geofact/instances.hpp). In the project's own build, with its options; nobody pays who does not link it.
foreach(group TRAINING PROBE)
  file(CONFIGURE OUTPUT geofact_instances_${group}.cpp
    CONTENT "#define GEOFACT_${group}_INSTANCE template\n#include <geofact/instances.hpp>\n")
  list(APPEND instances ${CMAKE_CURRENT_BINARY_DIR}/geofact_instances_${group}.cpp)
endforeach()
add_library(geofact_instances STATIC EXCLUDE_FROM_ALL ${instances})
add_library(geofact::instances ALIAS geofact_instances)
target_link_libraries(geofact_instances PUBLIC geofact::geofact)
target_compile_definitions(geofact_instances INTERFACE GEOFACT_HAS_INSTANCES)
set_target_properties(geofact_instances PROPERTIES UNITY_BUILD OFF) # they compile side by side
