#include <weft/exchange/exchange.hpp>

#include <weft/core/error.hpp>
#include <weft/protocol/sparse_exchange.hpp>
#include <weft/transport/mpi_transport.hpp>

#include <memory>

namespace weft {

/// The engine with its epoch; the registry of open operations finishes it when the handle is dropped.
struct pending_bytes::operation final : engine {
    operation(communicator const& over, sparse_exchange_setup setup, std::vector<message> outgoing)
        : comm(over), lease(begin_operation(comm)) {
        setup.tags = lease->tags();
        exchange.emplace(transport_of(comm), setup, std::move(outgoing));
    }

    [[nodiscard]] progress step() override {
        if (complete) return progress::done;
        progress const now = exchange->step();
        if (now == progress::done) {
            complete = true;
            lease.reset(); // not when the handle goes: what is complete takes no place in the window
            exchange->count(counters_of(comm));
        }
        return now;
    }

    communicator comm; // an operation outlives its handle, and must not outlive its communicator
    std::optional<epoch_lease> lease;
    std::optional<sparse_exchange> exchange;
    bool complete = false;
};

pending_bytes::pending_bytes(communicator comm, std::vector<message> outgoing, std::exception_ptr failure,
    std::int64_t item_bytes, exchange_options const& options)
    : comm_(std::move(comm)) {
    sparse_exchange_setup setup;
    setup.how = options.how.value_or(comm_.settings().exchange);
    setup.census = comm_.settings().census;
    setup.item_bytes = item_bytes;
    setup.thrown = std::move(failure);
    operation_ = new operation(comm_, std::move(setup), std::move(outgoing));
    operations_of(comm_).add(*operation_);
}

pending_bytes::~pending_bytes() {
    if (operation_ == nullptr) return;
    if (operation_->complete) {
        operations_of(comm_).remove(*operation_);
        delete operation_;
    } else {
        operations_of(comm_).abandon(*operation_); // its buffers must stay, and the others wait for it
    }
}

bool pending_bytes::test() {
    if (operation_ == nullptr) throw usage_error("exchange: test() after get() on one handle");
    (void)operations_of(comm_).step_others(nullptr);
    return operation_->complete;
}

std::vector<message> pending_bytes::get() && {
    if (operation_ == nullptr) throw usage_error("exchange: get() was called twice on one handle");
    complete(comm_, *operation_, "exchange");
    operations_of(comm_).remove(*operation_);
    std::unique_ptr<operation> const finished(std::exchange(operation_, nullptr));
    finished->exchange->rethrow();
    return finished->exchange->take();
}

} // namespace weft
