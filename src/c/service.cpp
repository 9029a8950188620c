#include "handles.hpp"
#include "mailbox_of_c.hpp"

#include <cstring>
#include <span>
#include <utility>

namespace weft::c {

namespace {

/// A value in the room of one of the sizes that services are compiled for.
template <std::size_t Bytes>
struct padded {
    std::byte bytes[Bytes];
};

/// Copies values of `from_bytes` bytes to room of `to_bytes` bytes each.
void copy_values(
    void const* from, std::size_t from_bytes, void* to, std::size_t to_bytes, std::size_t count) {
    std::size_t const bytes = from_bytes < to_bytes ? from_bytes : to_bytes;
    auto const* source = static_cast<std::byte const*>(from);
    auto* target = static_cast<std::byte*>(to);
    for (std::size_t i = 0; i < count; ++i, source += from_bytes, target += to_bytes)
        std::memcpy(target, source, bytes);
}

struct service_of_c {
    weft_answer answer;
    void* state;
    std::size_t query_bytes;
    std::size_t answer_bytes;
};

template <class Q, class A>
class padded_service final : public weft_service {
public:
    padded_service(mailbox& mail, service_of_c const& given)
        : given_(given), on_(mail.service<Q, A>([given](std::span<Q const> queries, std::span<A> answers) {
              std::vector<std::byte> bare(queries.size() * given.query_bytes);
              std::vector<std::byte> answered(queries.size() * given.answer_bytes);
              copy_values(queries.data(), sizeof(Q), bare.data(), given.query_bytes, queries.size());
              callback const now;
              given.answer(given.state, bare.data(), answered.data(), queries.size());
              now.end();
              copy_values(answered.data(), given.answer_bytes, answers.data(), sizeof(A), queries.size());
          })) {}

    void ask(
        int const* destinations, std::byte const* queries, std::byte* answers, std::size_t count) override {
        std::vector<Q> asked(count);
        std::vector<A> answered(count);
        copy_values(queries, given_.query_bytes, asked.data(), sizeof(Q), count);
        on_.ask({destinations, count}, std::span<Q const>(asked), std::span<A>(answered));
        copy_values(answered.data(), sizeof(A), answers, given_.answer_bytes, count);
    }

private:
    service_of_c given_;
    service<Q, A> on_;
};

/// Calls `with` with a buffer, of 8, 16 or 64 bytes, that has room for a value of `bytes` bytes. Throws:
/// `usage_error`.
template <class With>
auto with_room(std::size_t bytes, With&& with) {
    if (bytes == 0 || bytes > 64)
        throw usage_error(
            "weft_mailbox_service: a value of " + std::to_string(bytes) + " bytes; expected 1 to 64");
    return bytes <= 8 ? with(padded<8>()) : bytes <= 16 ? with(padded<16>()) : with(padded<64>());
}

std::unique_ptr<weft_service> service_in(mailbox& mail, service_of_c const& given) {
    return with_room(given.query_bytes, [&]<class Q>(Q) {
        return with_room(given.answer_bytes,
            [&]<class A>(A) { return std::unique_ptr<weft_service>(new padded_service<Q, A>(mail, given)); });
    });
}

} // namespace

} // namespace weft::c

weft_status weft_mailbox_service(weft_mailbox* mail, size_t query_bytes, size_t answer_bytes,
    weft_answer answer, void* state, weft_service** made) {
    return weft::c::call([&] {
        weft_mailbox& of = weft::c::given(mail, "mail");
        weft::c::expect_given(reinterpret_cast<void const*>(answer), "answer");
        weft_service*& place = weft::c::given(made, "made");
        of.services.reserve(of.services.size() + 1);
        of.services.push_back(weft::c::service_in(of.mail, {answer, state, query_bytes, answer_bytes}));
        place = of.services.back().get();
    });
}

weft_status weft_ask(
    weft_service* service, int const* destinations, void const* queries, void* answers, size_t count) {
    return weft::c::call([&] {
        weft_service& of = weft::c::given(service, "service");
        if (count == 0) return;
        weft::c::expect_given(destinations, "destinations");
        weft::c::expect_given(queries, "queries");
        weft::c::expect_given(answers, "answers");
        of.ask(destinations, static_cast<std::byte const*>(queries), static_cast<std::byte*>(answers), count);
    });
}
