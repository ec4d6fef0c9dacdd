#include "fake_cuda.hpp"

#include <string>

using fake_cuda::machine;
using geofact::gpu::number;
using geofact::gpu::operand;

/// A graph is the work of a host_device.
struct CUgraph_st {
  geofact::gpu::host_device<>::recording work;
};
struct CUgraphExec_st : CUgraph_st {};

namespace {

std::string complaint;  // of the machine
char handle;            // something that a stream and a context can point to

template <class F>
auto guarded(const F& f, decltype(cudaSuccess) code) {
  try {
    f();
    return cudaSuccess;
  } catch (const geofact::error& e) {
    complaint = e.what();
    return code;
  }
}

number number_of(cudaDataType type) {
  geofact::require(type == CUDA_R_64F || type == CUDA_R_32F || type == CUDA_R_16BF, "no type ", int{type});
  return type == CUDA_R_64F ? number::float64 : type == CUDA_R_32F ? number::float32 : number::bf16;
}

}  // namespace

cudaError_t cudaGetDeviceCount(int* count) {
  *count = fake_cuda::devices;
  return fake_cuda::finding_devices;
}
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorString(cudaError_t code) {
  return code == cudaErrorInsufficientDriver ? "CUDA driver version is insufficient for CUDA runtime version"
                                             : complaint.c_str();
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = 1, *total = 1000;
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** p, std::size_t bytes) {
  return guarded([&] { *p = machine.allocate(bytes, "a fake GPU"); }, cudaErrorMemoryAllocation);
}
cudaError_t cudaFree(void* p) {
  machine.release(p);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return guarded(
      [&] {
        geofact::require(kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToHost, "a copy has no direction");
        if (kind == cudaMemcpyHostToDevice)
          machine.upload(to, from, bytes);
        else
          machine.download(to, from, bytes);
      },
      cudaErrorIllegalAddress);
}
cudaError_t cudaMemsetAsync(void* p, int value, std::size_t bytes, cudaStream_t) {
  return guarded([&] { geofact::require(value == 0, "not cleared"), machine.zero(p, bytes); }, cudaErrorIllegalAddress);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = reinterpret_cast<cudaStream_t>(&handle);
  ++fake_cuda::alive;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) {
  --fake_cuda::alive;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return guarded([] { machine.synchronize(); }, cudaErrorIllegalAddress);
}
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
  return guarded([] { machine.begin_recording(); }, cudaErrorIllegalAddress);
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
  *graph = new CUgraph_st{machine.end_recording()};
  ++fake_cuda::alive;
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  *exec = new CUgraphExec_st{*graph};
  ++fake_cuda::alive;
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t) {
  ++fake_cuda::replays;
  return guarded([&] { machine.replay(exec->work); }, cudaErrorIllegalAddress);
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  --fake_cuda::alive;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  delete exec;
  --fake_cuda::alive;
  return cudaSuccess;
}

cublasStatus_t cublasCreate_v2(cublasHandle_t* blas) {
  *blas = reinterpret_cast<cublasHandle_t>(&handle);
  ++fake_cuda::alive;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t) {
  --fake_cuda::alive;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t, cudaStream_t) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void*, std::size_t) { return CUBLAS_STATUS_SUCCESS; }
const char* cublasGetStatusString(cublasStatus_t) { return complaint.c_str(); }
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType a_type, int lda, const void* b,
                            cudaDataType b_type, int ldb, const void* beta, void* c, cudaDataType c_type, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
  const auto code = guarded(
      [&] {
        const bool wide = compute == CUBLAS_COMPUTE_64F;
        geofact::require(wide == (a_type == CUDA_R_64F), "sums in the wrong type");
        const auto factor = [&](const void* x) {
          return wide ? *static_cast<const double*>(x) : static_cast<double>(*static_cast<const float*>(x));
        };
        geofact::require(a_type == b_type && factor(alpha) == 1 && (factor(beta) == 0 || factor(beta) == 1),
                         "a product that nobody asks for");
        machine.multiply({operand{a, number_of(a_type), m, k, lda, ta == CUBLAS_OP_T},
                          operand{b, number_of(b_type), k, n, ldb, tb == CUBLAS_OP_T}, c, number_of(c_type), ldc,
                          factor(beta) == 1, compute == CUBLAS_COMPUTE_32F_FAST_TF32});
      },
      cudaErrorInvalidValue);
  return code == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
