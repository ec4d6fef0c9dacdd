#include "examine.hpp"

using namespace geofact;

verification examine(const parameters<float>& model, const fact_table<>& facts, const verify_options& options) {
  return verify(model, facts, options);
}
verification examine(const parameters<double>& model, const fact_table<>& facts, const verify_options& options) {
  return verify(model, facts, options);
}
verification examine(const sparse_parameters<float>& model, const fact_table<>& facts, const verify_options& options) {
  return verify(model, facts, options);
}
