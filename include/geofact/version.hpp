#pragma once
// The one place of the version; CMakeLists.txt reads it from here.
#define GEOFACT_VERSION_MAJOR 0
#define GEOFACT_VERSION_MINOR 1
#define GEOFACT_VERSION_PATCH 0
