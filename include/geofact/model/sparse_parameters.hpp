#pragma once
#include <vector>

#include "geofact/model/parameters.hpp"

namespace geofact {

/// The same model with sparse W1 and W2, for constructions, whose units read and write few coordinates. Whatever takes
/// `parameters` takes this too and gives the same numbers.
template <class Scalar_>
class sparse_parameters : public parameters<Scalar_> {
 public:
  using Scalar = Scalar_;
  using sparse_matrix = Eigen::SparseMatrix<Scalar>;

  /// All weights zero; throws as `parameters` does.
  explicit sparse_parameters(const sizes<>& n) : parameters<Scalar>(without_units(n)), hidden_(n.hidden) {
    for (int l = 0; l < n.layers; ++l) {
      w1_.emplace_back(n.hidden, n.width);
      b1_.emplace_back(vector<Scalar>::Zero(n.hidden));
      w2_.emplace_back(this->b2(l).size(), n.hidden);
    }
  }

  int hidden() const { return hidden_; }
  sparse_matrix& w1(int l) { return w1_[static_cast<std::size_t>(l)]; }
  const sparse_matrix& w1(int l) const { return w1_[static_cast<std::size_t>(l)]; }
  vector<Scalar>& b1(int l) { return b1_[static_cast<std::size_t>(l)]; }
  const vector<Scalar>& b1(int l) const { return b1_[static_cast<std::size_t>(l)]; }
  sparse_matrix& w2(int l) { return w2_[static_cast<std::size_t>(l)]; }
  const sparse_matrix& w2(int l) const { return w2_[static_cast<std::size_t>(l)]; }

  /// The number of weights that are stored.
  index_t count() const {
    index_t total = parameters<Scalar>::count();
    for (std::size_t l = 0; l < w1_.size(); ++l) total += w1_[l].nonZeros() + b1_[l].size() + w2_[l].nonZeros();
    return total;
  }

 private:
  static sizes<> without_units(sizes<> n) {
    n.hidden = 0;
    return n;
  }

  int hidden_;
  std::vector<sparse_matrix> w1_, w2_;
  std::vector<vector<Scalar>> b1_;
};

}  // namespace geofact
