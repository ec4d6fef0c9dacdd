#pragma once

/// \file
/// Training and recall on a GPU by CUDA; opt-in, and part of no other header. docs/guide/cuda.md tells how to build
/// with it.

// One source of kernels, three executors.
#include "geofact/gpu/block.hpp"
#include "geofact/gpu/host_device.hpp"

// The device and what is computed on it.
#include "geofact/gpu/backend.hpp"
#include "geofact/gpu/cuda_device.cuh"
#include "geofact/gpu/verify.hpp"

namespace geofact::gpu {

/// train<float, gpu::backend>(facts, recipe): the same run on a GPU, in float.
template <class Model>
using backend = basic_backend<Model, cuda_device>;

/// The same with activations stored as bf16.
template <class Model>
using bf16_backend = basic_backend<Model, cuda_device, bf16>;

/// gpu::recall(model).verify(facts): constructions and trained models asked on a GPU.
template <class Model>
struct recall : basic_recall<Model, cuda_device> {
  using basic_recall<Model, cuda_device>::basic_recall;
};
template <class Model, class... More>
recall(const Model&, More&&...) -> recall<Model>;

}  // namespace geofact::gpu
