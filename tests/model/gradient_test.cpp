#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "geofact/foundation/random.hpp"
#include "geofact/io/model_file.hpp"
#include "geofact/model/loss.hpp"

namespace gradient_test {

using namespace geofact;
using model_type = parameters<double>;
using geofact::index_t;

namespace {

/// The files that PyTorch and JAX agreed on (tests/model/make_gradients.py).
const std::filesystem::path fixtures = GEOFACT_DATA "/../../tests/model/data";

std::set<std::string> fixture_names() {
  std::set<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(fixtures))
    if (const auto name = file.path().stem(); !name.has_extension()) names.insert(name.string());
  return names;
}

questions questions_of(const safetensors_file& file) {
  const auto tokens = file["tokens"].to_matrix<int>(), targets = file["targets"].to_matrix<int>();
  questions asked;
  asked.length = static_cast<int>(tokens.cols());
  for (index_t q = 0; q < tokens.rows(); ++q) {
    const row_vector<int> question = tokens.row(q);
    asked.add({question.data(), static_cast<std::size_t>(question.size())}, targets(q));
  }
  return asked;
}

struct scenario {
  const char* name;
  int heads, layers, residual, output;
};

const scenario scenarios[] = {{"one layer", 0, 1, 0, 6},
                              {"three layers, narrow output", 0, 3, 0, 4},
                              {"residual", 0, 2, 1, 6},
                              {"one head", 1, 1, 0, 6},
                              {"three heads, residual, narrow output", 3, 3, 1, 4}};

sizes<> sizes_of(const scenario& s) {
  return {.entities = 8,
          .relations = 2,
          .width = 6,
          .hidden = 9,
          .layers = s.layers,
          .output = s.output,
          .attributes = 7,
          .heads = s.heads,
          .key = 3,
          .value = 4,
          .residual = s.residual};
}

matrix<double> random_matrix(index_t rows, index_t columns, std::uint64_t seed) {
  const random_stream random(seed);
  matrix<double> m(rows, columns);
  for (index_t i = 0; i < m.size(); ++i) m.data()[i] = 0.5 * random.normal(static_cast<std::uint64_t>(i));
  return m;
}

model_type random_model(const sizes<>& n, std::uint64_t seed) {
  model_type model(n);
  model.block() = random_matrix(model.count(), 1, seed);
  return model;
}

/// `model` moved by `step` times `direction`.
model_type moved(const model_type& model, const model_type& direction, double step) {
  model_type result = model;
  result.block() += step * direction.block();
  return result;
}

double dot(const matrix<double>& a, const matrix<double>& b) { return a.cwiseProduct(b).sum(); }

/// <J v, w>, where `along` is the function on the line along v.
template <class Line>
double pushed(const Line& along, const matrix<double>& w) {
  const double h = 1e-6;
  return dot((along(h) - along(-h)) / (2 * h), w);
}

}  // namespace

TEST_CASE("loss and gradient are those of PyTorch and JAX") {
  const auto names = fixture_names();
  REQUIRE(names.size() >= 15);
  for (const auto& name : names) {
    CAPTURE(name);
    const auto model = read_model<double>((fixtures / (name + ".safetensors")).string());
    const safetensors_file peers((fixtures / (name + ".gradient.safetensors")).string());
    model_type gradient(model.extents());
    const loss found = loss_function<model_type>(model, questions_of(peers))(model, gradient);
    CHECK(std::abs(found.cross_entropy - peers["cross_entropy"].to_matrix<double>()(0)) < 1e-9);
    for (const table& t : model.tables()) {
      CAPTURE(t.name);
      if (t.size() == 0) continue;
      const auto theirs = peers["gradient." + t.name].to_matrix<double>();
      const const_matrix_view<double> own(gradient.block().data() + t.offset, t.rows, t.columns);
      CHECK((own - theirs).cwiseAbs().maxCoeff() < 1e-9);
      CHECK(theirs.cwiseAbs().maxCoeff() > 1e-6);
    }
  }
}

TEST_CASE("mlp_backward is the transpose of the derivative of the MLPs: <J v, w> = <v, J' w>") {
  for (const auto& s : scenarios) {
    CAPTURE(s.name);
    const auto n = sizes_of(s);
    const auto model = random_model(n, 1), direction = random_model(n, 2);
    const auto h = random_matrix(n.hidden, 5, 3), dh = random_matrix(n.hidden, 5, 4);
    const auto x = random_matrix(n.width, 5, 5), dx = random_matrix(n.width, 5, 6);
    const auto w = random_matrix(n.output, 5, 7);
    const double forwards = pushed(
        [&](double step) {
          return mlp_from_preactivation(moved(model, direction, step), matrix<double>(h + step * dh),
                                        matrix<double>(x + step * dx));
        },
        w);
    mlp_tape<double> tape(n.layers);
    tape.units[0] = h, tape.streams[0] = x;
    taped_mlp(model, tape);
    CHECK(tape.y == mlp_from_preactivation(model, h, x));
    model_type gradient(n);
    tape.dy = w;
    mlp_backward(model, tape, gradient);
    const double backwards =
        direction.block().dot(gradient.block()) + dot(dh, tape.dh) + (model.residual() ? dot(dx, tape.dx) : 0);
    CHECK(forwards == doctest::Approx(backwards).epsilon(1e-8));
    CHECK(std::abs(forwards) > 1e-2);
  }
}

TEST_CASE("attention_backward is the transpose of the derivative of attention: <J v, w> = <v, J' w>") {
  for (const auto& s : scenarios)
    for (int length : {1, 2, 5}) {
      CAPTURE(s.name);
      CAPTURE(length);
      const auto n = sizes_of(s);
      const auto model = random_model(n, 1), direction = random_model(n, 2);
      std::vector<matrix<double>> tokens, dtokens;
      for (int place = 0; place < length; ++place) {
        tokens.push_back(random_matrix(n.width, 5, 10 + static_cast<std::uint64_t>(place)));
        dtokens.push_back(random_matrix(n.width, 5, 20 + static_cast<std::uint64_t>(place)));
      }
      const auto w = random_matrix(n.width, 5, 7);
      const double forwards = pushed(
          [&](double step) {
            auto there = tokens;
            for (std::size_t t = 0; t < there.size(); ++t) there[t] += step * dtokens[t];
            std::vector<attention_tape<double>> unused;
            return taped_attention(moved(model, direction, step), there, unused);
          },
          w);
      std::vector<attention_tape<double>> tapes;
      taped_attention(model, tokens, tapes);
      model_type gradient(n);
      const auto adjoints = attention_backward(model, tokens, tapes, w, gradient);
      double backwards = direction.block().dot(gradient.block());
      for (std::size_t t = 0; t < adjoints.size(); ++t) backwards += dot(dtokens[t], adjoints[t]);
      CHECK(forwards == doctest::Approx(backwards).epsilon(1e-8));
      CHECK(std::abs(forwards) > 1e-2);
    }
}

TEST_CASE("the adjoint of the logits is the derivative of the cross-entropy") {
  const auto logits = random_matrix(7, 5, 1), direction = random_matrix(7, 5, 2);
  const int targets[] = {0, 6, 3, 3, 2};
  const auto cross_entropy = [&](double step) {
    matrix<double> moved = logits + step * direction;
    return matrix<double>::Constant(1, 1, detail::cross_entropy(moved, targets, 1.0).cross_entropy);
  };
  matrix<double> adjoint = logits;
  detail::cross_entropy(adjoint, targets, 1.0);
  CHECK(pushed(cross_entropy, matrix<double>::Ones(1, 1)) == doctest::Approx(dot(direction, adjoint)).epsilon(1e-8));
}

TEST_CASE("the gradient over many tiles is the mean of those over the single questions") {
  const auto n = sizes_of(scenarios[4]);
  const auto model = random_model(n, 1);
  const random_stream random(2);
  questions all;
  all.length = 3;
  model_type mean(n), part(n);
  const int count = 1500;
  for (int q = 0; q < count; ++q) {
    const auto i = 4 * static_cast<std::uint64_t>(q);
    questions one{3, {}, {}};
    one.add(std::vector<int>{random.below(10, i), random.below(10, i + 1), random.below(10, i + 2)},
            random.below(7, i + 3));
    all.add(one.tokens, one.targets[0]);
    loss_function<model_type>(model, one, 1)(model, part);
    mean.block() += part.block() / count;
  }
  loss_function<model_type>(model, all)(model, part);
  CHECK((part.block() - mean.block()).cwiseAbs().maxCoeff() < 1e-13);
}

}  // namespace gradient_test
