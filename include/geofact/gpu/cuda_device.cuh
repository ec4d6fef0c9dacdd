#pragma once
#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <memory>
#include <string>

#include "geofact/gpu/device.hpp"

/// \file
/// The CUDA device. Any compiler can read this; what launches kernels is compiled by nvcc. So one small .cu with
/// `template class geofact::gpu::learner<float, float, geofact::gpu::cuda_device>;` serves a program that is otherwise
/// compiled by its usual compiler (docs/guide/cuda.md).

namespace geofact::gpu {

namespace detail {

/// Throws with what was being done and what CUDA says.
inline void cuda_check(cudaError_t code, const char* doing) {
  if (code == cudaSuccess) [[likely]]
    return;
  require(code != cudaErrorNoDevice && code != cudaErrorInsufficientDriver,
          "there is no CUDA device to use: ", cudaGetErrorString(code));
  require(code != cudaErrorNoKernelImageForDevice && code != cudaErrorUnsupportedPtxVersion,
          "this program has no kernels for this GPU: build it with CMAKE_CUDA_ARCHITECTURES for it (",
          cudaGetErrorString(code), ')');
  geofact::detail::fail({"CUDA failed ", doing, ": ", cudaGetErrorString(code),
                         "; after such an error the device may be unusable for this process"});
}

inline void cublas_check(cublasStatus_t code, const char* doing) {
  require(code == CUBLAS_STATUS_SUCCESS, "cuBLAS failed ", doing, ": ", cublasGetStatusString(code));
}

}  // namespace detail

/// How many GPUs can be used; 0 where there is no driver.
inline int cuda_devices() {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver) return 0;
  detail::cuda_check(code, "counting devices");
  return count;
}

/// A GPU with a stream of its own; products are cuBLAS's.
class cuda_device {
 public:
  using recording = std::shared_ptr<CUgraphExec_st>;

  /// Throws where there is no such GPU.
  explicit cuda_device(int index = 0) {
    int count = 0;
    detail::cuda_check(cudaGetDeviceCount(&count), "counting devices");
    require(0 <= index && index < count, "there is no CUDA device ", index, " among ", count);
    detail::cuda_check(cudaSetDevice(index), "choosing a device");
    cudaStream_t stream = nullptr;
    detail::cuda_check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
    stream_.reset(stream);
    cublasHandle_t blas = nullptr;
    detail::cublas_check(cublasCreate(&blas), "starting");
    blas_.reset(blas);
    detail::cublas_check(cublasSetStream(blas, stream), "taking a stream");
    // Memory of its own: a recording must not allocate, and results do not depend on how much there happens to be.
    workspace_.reset(allocate(workspace_bytes, "the workspace of cuBLAS"));
    detail::cublas_check(cublasSetWorkspace(blas, workspace_.get(), workspace_bytes), "taking a workspace");
  }

  void* allocate(std::size_t bytes, const std::string& what) {
    void* memory = nullptr;
    const cudaError_t code = cudaMalloc(&memory, bytes);
    if (code == cudaErrorMemoryAllocation) {
      cudaGetLastError();  // it is not for good
      std::size_t free = 0, total = 0;
      detail::cuda_check(cudaMemGetInfo(&free, &total), "asking for free memory");
      require(false, "no room for ", bytes, " bytes of ", what, " on the device: ", free, " of ", total,
              " bytes are free");
    }
    detail::cuda_check(code, "allocating");
    return memory;
  }
  void release(void* p) noexcept { cudaFree(p); }

  void upload(void* to, const void* from, std::size_t bytes) {
    require(!recording_, "a recording cannot upload");
    detail::cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_.get()), "uploading");
  }
  void download(void* to, const void* from, std::size_t bytes) {
    require(!recording_, "a recording cannot download");
    detail::cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_.get()), "downloading");
    synchronize();
  }
  void zero(void* p, std::size_t bytes) {
    detail::cuda_check(cudaMemsetAsync(p, 0, bytes, stream_.get()), "clearing memory");
  }

  void multiply(const product& g) {
    const bool wide = g.a.type == number::float64;
    const float one = 1, none = 0;
    const double wide_one = 1, wide_none = 0;
    const void* const alpha = wide ? static_cast<const void*>(&wide_one) : &one;
    const void* const nothing = wide ? static_cast<const void*>(&wide_none) : &none;
    const bool tf32 = g.tf32 && g.a.type == number::float32;
    detail::cublas_check(cublasGemmEx(blas_.get(), operation(g.a), operation(g.b), g.a.rows, g.b.columns, g.a.columns,
                                      alpha, g.a.data, type(g.a.type), g.a.stride, g.b.data, type(g.b.type), g.b.stride,
                                      g.accumulate ? alpha : nothing, g.c, type(g.type), g.stride,
                                      wide   ? CUBLAS_COMPUTE_64F
                                      : tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32
                                             : CUBLAS_COMPUTE_32F,
                                      CUBLAS_GEMM_DEFAULT),
                         "multiplying");
  }

  /// Defined below for nvcc.
  template <class Kernel>
  [[gnu::noinline]] void launch(const Kernel& kernel, int blocks, int threads);

  void synchronize() { detail::cuda_check(cudaStreamSynchronize(stream_.get()), "computing"); }

  /// A CUDA graph of what f asks for.
  template <class F>
  recording record(const F& f) {
    detail::cuda_check(cudaStreamBeginCapture(stream_.get(), cudaStreamCaptureModeThreadLocal), "recording");
    recording_ = true;
    try {
      f();
    } catch (...) {
      end_recording();
      throw;
    }
    const auto graph = end_recording();
    cudaGraphExec_t ready = nullptr;
    detail::cuda_check(cudaGraphInstantiate(&ready, graph.get(), 0), "preparing a recording");
    return recording(ready, [](cudaGraphExec_t exec) { cudaGraphExecDestroy(exec); });
  }
  void replay(const recording& all) { detail::cuda_check(cudaGraphLaunch(all.get(), stream_.get()), "replaying"); }

 private:
  static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;  // what NVIDIA recommends for Hopper

  struct releaser {
    void operator()(CUstream_st* stream) const { cudaStreamDestroy(stream); }
    void operator()(cublasContext* blas) const { cublasDestroy(blas); }
    void operator()(void* memory) const { cudaFree(memory); }
    void operator()(CUgraph_st* graph) const { cudaGraphDestroy(graph); }
  };

  std::unique_ptr<CUgraph_st, releaser> end_recording() {
    recording_ = false;
    cudaGraph_t graph = nullptr;
    const cudaError_t code = cudaStreamEndCapture(stream_.get(), &graph);
    std::unique_ptr<CUgraph_st, releaser> owned(graph);
    detail::cuda_check(code, "recording");
    return owned;
  }

  static cublasOperation_t operation(const operand& x) { return x.transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }
  static cudaDataType type(number n) {
    return n == number::float64 ? CUDA_R_64F : n == number::float32 ? CUDA_R_32F : CUDA_R_16BF;
  }

  std::unique_ptr<CUstream_st, releaser> stream_;
  std::unique_ptr<void, releaser> workspace_;
  std::unique_ptr<cublasContext, releaser> blas_;
  bool recording_ = false;
};

#ifdef __CUDACC__

/// A CUDA thread.
class cuda_lane {
 public:
  __device__ explicit cuda_lane(unsigned char* scratch) : scratch_(scratch) {}
  __device__ int thread() const { return static_cast<int>(threadIdx.x); }
  __device__ int threads() const { return static_cast<int>(blockDim.x); }
  __device__ int block() const { return static_cast<int>(blockIdx.x); }
  __device__ int blocks() const { return static_cast<int>(gridDim.x); }
  __device__ void barrier(int) { __syncthreads(); }
  __device__ unsigned char* scratch() { return scratch_; }
  template <class T>
  __device__ T exchange(const T& mine, int mask, int) {
    unsigned words[(sizeof(T) + 3) / 4];
    __builtin_memcpy(words, &mine, sizeof(T));
    for (unsigned& word : words) word = __shfl_xor_sync(~0U, word, mask);
    T other;
    __builtin_memcpy(&other, words, sizeof(T));
    return other;
  }
  template <class T>
  __device__ void add(T* sum, T x) {
    atomicAdd(sum, x);
  }

 private:
  unsigned char* scratch_;
};

/// Executor 3: every kernel of the library goes through here.
template <class Kernel>
__global__ void __launch_bounds__(most_threads) run_kernel(const Kernel kernel) {
  __shared__ alignas(16) unsigned char scratch[most_threads / warp * reducible];
  cuda_lane lane(scratch);
  simt_block<cuda_lane> b(lane);
  kernel(b);
}

template <class Kernel>
void cuda_device::launch(const Kernel& kernel, int blocks, int threads) {
  static_assert(std::is_trivially_copyable_v<Kernel> && sizeof(Kernel) <= 4096, "a kernel travels as an argument");
  run_kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), 0, stream_.get()>>>(kernel);
  detail::cuda_check(cudaGetLastError(), "launching");
}

#endif

}  // namespace geofact::gpu
