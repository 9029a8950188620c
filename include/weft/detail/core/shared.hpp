/// A shared pointer to an incomplete type.
#pragma once

#include <utility>

namespace weft::detail {

/// Base of objects with a reference count.
class counted {
public:
    counted() = default;
    counted(counted const&) = delete;
    counted& operator=(counted const&) = delete;
    virtual ~counted() = default;

private:
    friend void retain(counted& object) noexcept;
    friend void release(counted& object) noexcept;
    friend bool is_only_pointer(counted const& object) noexcept;

    int pointers_ = 0; // accessed atomically; <atomic> would cost much to compile
};

/// Increments the reference count. Thread-safe.
void retain(counted& object) noexcept;
/// Decrements the reference count; deletes the object at 0. Thread-safe.
void release(counted& object) noexcept;

/// Returns true if the reference count is 1.
[[nodiscard]] bool is_only_pointer(counted const& object) noexcept;

/// Shares an object that derives from `counted`; its type may be incomplete except where it is made or used.
/// The last pointer deletes it. (`std::shared_ptr` would include all of <memory>.)
template <class T>
class shared {
public:
    shared() = default;
    explicit shared(T* object) noexcept : object_(object) { share(); }
    shared(shared const& other) noexcept : object_(other.object_) { share(); }
    shared(shared&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    shared& operator=(shared other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~shared() {
        if (object_ != nullptr) release(*object_);
    }

    [[nodiscard]] T* get() const noexcept { return static_cast<T*>(object_); }
    [[nodiscard]] T& operator*() const noexcept { return *get(); }
    [[nodiscard]] T* operator->() const noexcept { return get(); }
    [[nodiscard]] explicit operator bool() const noexcept { return object_ != nullptr; }

private:
    void share() const noexcept {
        if (object_ != nullptr) retain(*object_);
    }

    counted* object_ = nullptr;
};

} // namespace weft::detail
