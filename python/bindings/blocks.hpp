/// A set of blocks that are objects of Python.
#pragma once

#include "object_value.hpp"

#include <weft/blocks/block_set.hpp>
#include <weft/core/error.hpp>

#include <memory>

namespace weft::python {

using block_objects = block_set<object_value>;

/// A set until it is closed, which is before MPI ends.
class open_blocks {
public:
    explicit open_blocks(std::unique_ptr<block_objects> set) : set_(std::move(set)) {}
    ~open_blocks() { drop(); }
    open_blocks(open_blocks const&) = delete;
    open_blocks& operator=(open_blocks const&) = delete;

    [[nodiscard]] block_objects& get() const {
        if (!set_) throw usage_error("blocks: the set was closed");
        return *set_;
    }
    /// Throws: `usage_error` in a callback of the set.
    void close() {
        if (calls_ != 0) throw usage_error("blocks: close was called in a callback of the set");
        drop();
    }

    /// For the garbage collector, which finds blocks that refer to their set. While a call is under way it
    /// finds nothing here, and leaves the set alone.
    int visit_blocks(visitproc visit, void* arg) const {
        if (!set_ || calls_ != 0) return 0;
        for (auto const& each : set_->local())
            if (each.block.of.use_count() == 1) Py_VISIT(each.block.of.get());
        return 0;
    }

private:
    friend class block_call;

    void drop() {
        if (!set_) return;
        closing_call const call;
        if (mpi_is_finalized()) forget(std::move(set_));
        set_.reset();
    }

    std::unique_ptr<block_objects> set_;
    mutable int calls_ = 0;
};

/// A call of a set, which may not be closed meanwhile.
class block_call {
public:
    block_call(open_blocks const& blocks, char const* call)
        : counted_(blocks.calls_), call_(blocks.get().comm(), call) {}

private:
    struct count {
        explicit count(int& calls) : of(calls) { ++of; }
        ~count() { --of; }
        count(count const&) = delete;
        count& operator=(count const&) = delete;
        int& of;
    };
    count counted_; // outlives the call: it is changed with the GIL
    collective_call call_;
};

void bind_block_reductions(nb::class_<open_blocks>& bound);

} // namespace weft::python
