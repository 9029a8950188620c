#include <weft/detail/core/hash.hpp>
#include <weft/detail/mailbox/async_call.hpp>

#include <weft/mailbox/mailbox.hpp>

#include <bit>
#include <string>
#include <string_view>
#include <vector>

namespace weft::detail {

namespace {

/// The functions that calls may name, by their number. Filled before `main` and only read afterwards, so it
/// is no state (law 5). A table with open addressing, since each call looks up its function.
class call_table {
public:
    void add(std::uint32_t number, std::string_view name, call_runner run) {
        if (row* const known = find(number); known != nullptr && known->run != nullptr) {
            if (known->run != run) known->is_ambiguous = true; // one name in two files, or one hash for two
            return;
        }
        if (2 * ++size_ > rows_.size()) grow();
        *find(number) = {number, run, false, name};
    }
    struct row {
        std::uint32_t number = 0;
        call_runner run = nullptr; // null: the row is free
        bool is_ambiguous = false;
        std::string_view name = {};
    };
    /// Returns the row of a number, or the free row where it belongs; null if the table is empty.
    [[nodiscard]] row* find(std::uint32_t number) noexcept {
        if (rows_.empty()) return nullptr;
        std::size_t const mask = rows_.size() - 1;
        std::size_t place = (number >> std::bit_width(call_length_bits)) & mask;
        while (rows_[place].run != nullptr && rows_[place].number != number) place = (place + 1) & mask;
        return &rows_[place];
    }

private:
    void grow() {
        std::vector<row> const old = std::move(rows_);
        rows_.assign(old.empty() ? 16 : 2 * old.size(), row{});
        for (row const& each : old)
            if (each.run != nullptr) *find(each.number) = each;
    }

    std::vector<row> rows_;
    std::size_t size_ = 0;
};

call_table& table() {
    static call_table made;
    return made;
}

[[noreturn]] void refuse(call_table::row const* row) {
    if (row == nullptr || row->run == nullptr)
        throw usage_error("mailbox: async: a function that this rank does not have; all ranks must run the "
                          "same program");
    throw usage_error("mailbox: async: two functions have the same name " + std::string(row->name) +
                      "; give one of them another");
}

} // namespace

std::uint32_t register_call(std::type_info const& type, std::size_t room, call_runner run) noexcept {
    std::string_view const name = type.name();
    std::uint64_t const hash = fnv_hash().add(name).value();
    auto const number = (static_cast<std::uint32_t>(hash ^ (hash >> 32)) & ~call_length_bits) |
                        static_cast<std::uint32_t>(room / 8);
    table().add(number, name, run);
    return number;
}

call_runner find_call(std::uint32_t number) {
    call_table::row const* const row = table().find(number);
    if (row == nullptr || row->run == nullptr || row->is_ambiguous) refuse(row);
    return row->run;
}

namespace {

/// Returns the number of successive calls at the start of a run that name its first function, whose calls
/// have `room` bytes each. The loads are independent of each other, since this runs for each call sent.
std::int64_t count_equal(std::span<std::byte const> run, std::uint32_t number, std::size_t room) noexcept {
    constexpr std::size_t together = 16;
    std::size_t const most = run.size() / room;
    std::size_t calls = 1;
    for (; calls + together <= most; calls += together) {
        std::uint32_t differences = 0;
        for (std::size_t i = 0; i < together; ++i)
            differences |= call_number_at(run.data() + (calls + i) * room) ^ number;
        if (differences != 0) break;
    }
    while (calls < most && call_number_at(run.data() + calls * room) == number) ++calls;
    return static_cast<std::int64_t>(calls);
}

} // namespace

std::int64_t count_calls(std::span<std::byte const> run) noexcept {
    std::int64_t calls = 0;
    while (!run.empty()) {
        std::uint32_t const number = call_number_at(run.data());
        if (std::size_t const room = room_of_number(number); room != 0) {
            std::int64_t const equal = count_equal(run, number, room);
            calls += equal;
            run = run.subspan(static_cast<std::size_t>(equal) * room);
        } else {
            ++calls;
            run = run.subspan(long_call_room(long_arguments(run.data()).size()));
        }
    }
    return calls;
}

std::int64_t call_receiver::handle(int, std::span<std::byte const> run) {
    std::int64_t calls = 0;
    std::uint32_t known = 0;
    call_runner runner = nullptr;
    std::byte const* const end = run.data() + run.size();
    for (std::byte const* at = run.data(); at != end;) {
        std::uint32_t const number = call_number_at(at);
        if (runner == nullptr || number != known) runner = find_call(known = number);
        std::byte const* const next = runner(mail_, at, end);
        std::size_t const room = room_of_number(number);
        calls += room == 0 ? 1 : (next - at) / static_cast<std::ptrdiff_t>(room);
        at = next;
    }
    return calls;
}

void call_receiver::handle_long(int source, std::span<std::byte const> message) {
    handle(source, message);
}

std::int64_t call_receiver::count(std::span<std::byte const> run) const noexcept {
    return count_calls(run);
}

void call_sender::check(int destination) const {
    if (static_cast<unsigned>(destination) >= static_cast<unsigned>(mail_->size()))
        no_such_rank(destination, mail_->size());
}

mail_engine::cursor* call_sender::shared_cursor(int destination, std::size_t room) const {
    check(destination);
    return &mail_->cursor_with_room(static_cast<std::size_t>(destination), key_, room);
}

void call_sender::send_record(int destination, buffer& record) const {
    std::uint64_t const arguments = record.size() - long_call_head;
    std::memcpy(record.data() + long_call_head - sizeof arguments, &arguments, sizeof arguments);
    record.resize(long_call_room(arguments));
    if (record.size() > mail_->longest_item()) {
        mail_->send_long(destination, channel_, record.bytes());
        return;
    }
    std::byte* const to = mail_->room(static_cast<std::size_t>(destination), key_, record.size());
    std::memcpy(to, record.data(), record.size());
    mail_->cursor_at(static_cast<std::size_t>(destination)).next += record.size();
}

} // namespace weft::detail
