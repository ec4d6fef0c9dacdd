#pragma once

namespace geofact {

/// One step of a run: the model after `step` updates.
struct training_step {
  int step = 0;
  double cross_entropy = 0, recall = 0;
  double rate = 0;      ///< the learning rate of the update that follows
  double seconds = 0;   ///< since the run began
  bool judged = false;  ///< loss and recall are those of the model over all questions, not of a batch or with noise
};

}  // namespace geofact
