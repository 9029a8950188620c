/// Operations of Weft as ranges of NVTX, in a domain "weft": for Nsight Systems and other tools that read it.
#include <nvtx3/nvToolsExt.h>

namespace {

nvtxDomainHandle_t domain() {
    static nvtxDomainHandle_t const of_process = nvtxDomainCreateA("weft");
    return of_process;
}

} // namespace

extern "C" void weft_operation_began(char const* name, char const* /*within*/) {
    nvtxEventAttributes_t range{};
    range.version = NVTX_VERSION;
    range.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    range.messageType = NVTX_MESSAGE_TYPE_ASCII;
    range.message.ascii = name;
    nvtxDomainRangePushEx(domain(), &range);
}

extern "C" void weft_operation_ended(char const* /*name*/, char const* /*within*/) {
    nvtxDomainRangePop(domain());
}
