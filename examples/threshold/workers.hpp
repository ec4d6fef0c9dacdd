#pragma once
#include <atomic>

#ifdef GEOFACT_MPI
  #include <mpi.h>
#endif

/// This process and the others of mpirun, with a counter that rank 0 holds; one process without MPI.
class workers {
 public:
  workers(const workers&) = delete;
  workers& operator=(const workers&) = delete;

#ifdef GEOFACT_MPI
  workers() {
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Win_allocate(rank_ == 0 ? sizeof(long) : 0, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &counter_, &window_);
    if (rank_ == 0) *counter_ = 0;
    barrier();
  }
  ~workers() {
    MPI_Win_free(&window_);
    MPI_Finalize();
  }
  /// Ends all processes at once: for failures, since the others would wait.
  void abort(int code) const {
    if (size_ > 1) MPI_Abort(MPI_COMM_WORLD, code);
  }
  void barrier() const { MPI_Barrier(MPI_COMM_WORLD); }

  /// 0, 1, 2, ...: each number once among all processes.
  long next() {
    const long one = 1;
    long number = 0;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window_);
    MPI_Fetch_and_op(&one, &number, MPI_LONG, 0, 0, MPI_SUM, window_);
    MPI_Win_unlock(0, window_);
    return number;
  }
#else
  workers() = default;
  void abort(int) const {}
  void barrier() const {}
  long next() { return counter_++; }
#endif

  int rank() const { return rank_; }
  int size() const { return size_; }

 private:
  int rank_ = 0, size_ = 1;
#ifdef GEOFACT_MPI
  long* counter_ = nullptr;
  MPI_Win window_{};
#else
  std::atomic<long> counter_ = 0;
#endif
};
