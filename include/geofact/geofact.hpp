#pragma once
// Everything that runs on the host, in reading order.
#include "geofact/version.hpp"

// Facts: tables, generators, questions, readers.
#include "geofact/fact/graph.hpp"
#include "geofact/fact/path.hpp"
#include "geofact/fact/question.hpp"
#include "geofact/fact/regularity.hpp"
#include "geofact/fact/triples.hpp"
#include "geofact/fact/wide_table.hpp"

// Codes: how an attribute is written in a few coordinates.
#include "geofact/code/binary.hpp"
#include "geofact/code/circle.hpp"
#include "geofact/code/one_hot.hpp"
#include "geofact/code/parity.hpp"
#include "geofact/code/random_sign.hpp"
#include "geofact/code/tabulated.hpp"

// The model: one block of parameters and the forward pass over it.
#include "geofact/model/ask.hpp"
#include "geofact/model/basis.hpp"
#include "geofact/model/loss.hpp"
#include "geofact/model/parameters.hpp"
#include "geofact/model/sparse_parameters.hpp"

// Constructions: theorems as formulas, written into the model and verified.
#include "geofact/construction/associative_memory.hpp"
#include "geofact/construction/chain_of_thought.hpp"
#include "geofact/construction/exact.hpp"
#include "geofact/construction/multi_hop.hpp"
#include "geofact/construction/realize.hpp"
#include "geofact/construction/single_hop.hpp"
#include "geofact/construction/summary.hpp"
#include "geofact/construction/verify.hpp"

// Training: gradient descent finds what the constructions show.
#include "geofact/training/find_threshold.hpp"
#include "geofact/training/fit.hpp"
#include "geofact/training/free_running.hpp"
#include "geofact/training/trainer.hpp"

// Files: weights to and from PyTorch and NumPy.
#include "geofact/io/model_file.hpp"
#include "geofact/io/npy.hpp"
#include "geofact/io/npz.hpp"
#include "geofact/io/safetensors.hpp"

// Probes: what the geometry of a trained model, or of a language model, says about facts.
#include "geofact/probe/freeze_and_swap.hpp"
#include "geofact/probe/interchange.hpp"
#include "geofact/probe/layers.hpp"
#include "geofact/probe/readout.hpp"
#include "geofact/probe/superposition.hpp"

// Counting bounds: what no model of so many bits can do.
#include "geofact/bound/enumerate.hpp"
#include "geofact/bound/report.hpp"

// What need not be compiled again in a program that links geofact::instances.
#ifdef GEOFACT_HAS_INSTANCES
  #include "geofact/instances.hpp"
#endif
