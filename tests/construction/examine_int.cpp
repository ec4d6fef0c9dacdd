#include "examine.hpp"

using namespace geofact;

verification examine(const parameters<int>& model, const fact_table<>& facts, const verify_options& options) {
  return verify(model, facts, options);
}
verification examine(const sparse_parameters<int>& model, const fact_table<>& facts, const verify_options& options) {
  return verify(model, facts, options);
}
