// The geofact side of the comparison with scikit-learn (ridge.py):
//
//     ridge FOLDER THREADS PENALTY...     reads FOLDER/states.npy [subjects, width], targets.npy [attributes,
//     dimensions]
//                                         and facts.npy [relations, subjects]; fits a map for each relation, the
//                                         penalty (in units of the mean eigenvalue) by exact leave-one-out; writes
//                                         FOLDER/maps.npy [relations, dimensions, width], prints the seconds and each
//                                         choice.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>

#include "geofact/io/npy.hpp"
#include "geofact/probe/ridge.hpp"

int main(int argc, char** argv) {
  using namespace geofact;
  if (argc < 4) return std::cerr << "usage: ridge FOLDER THREADS PENALTY...\n", 2;
  const std::string folder = argv[1];
  const int threads = std::atoi(argv[2]);
  std::vector<double> lambdas;
  for (int i = 3; i < argc; ++i) lambdas.push_back(std::atof(argv[i]));
  const matrix<float> states = read_npy<float>(folder + "/states.npy").transpose();
  const matrix<float> targets = read_npy<float>(folder + "/targets.npy").transpose();
  const matrix<int> facts = read_npy<int>(folder + "/facts.npy");
  const index_t relations = facts.rows(), k = targets.rows(), d = states.rows();

  matrix<float> maps(k * d, relations);  // each column a map, row by row
  std::vector<double> chosen(static_cast<std::size_t>(relations));
  const auto start = std::chrono::steady_clock::now();
  const probe::ridge<float> solver(states, lambdas, threads);
  parallel_for(relations, threads, [&](index_t r) {
    const matrix<float> y = targets(Eigen::all, facts.row(r));
    const auto fit = solver(y);
    maps.col(r) = fit.map.reshaped<Eigen::RowMajor>();
    chosen[static_cast<std::size_t>(r)] = fit.lambda;
  });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const tensor_view all("maps", element::f32, {relations, k, d}, false,
                        reinterpret_cast<const std::byte*>(maps.data()));
  write_npy(folder + "/maps.npy", all);
  std::cout << seconds;
  for (double lambda : chosen) std::cout << ' ' << lambda;
  std::cout << '\n';
}
