#include <weft/core/error.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <type_traits>

using weft::error_kind;

namespace {

template <class Error>
std::exception_ptr pointer_to(Error const& thrown) {
    return std::make_exception_ptr(thrown);
}

} // namespace

TEST(error, every_exception_of_weft_is_an_error) {
    EXPECT_TRUE((std::is_base_of_v<std::runtime_error, weft::error>));
    EXPECT_TRUE((std::is_base_of_v<weft::error, weft::usage_error>));
    EXPECT_TRUE((std::is_base_of_v<weft::error, weft::mpi_error>));
    EXPECT_TRUE((std::is_base_of_v<weft::error, weft::wire_error>));
    EXPECT_TRUE((std::is_base_of_v<weft::error, weft::io_error>));
    EXPECT_TRUE((std::is_base_of_v<weft::error, weft::remote_error>));
}

TEST(error, kind_of_tells_the_exceptions_apart) {
    EXPECT_EQ(weft::kind_of(nullptr), error_kind::none);
    EXPECT_EQ(weft::kind_of(pointer_to(weft::usage_error("u"))), error_kind::usage);
    EXPECT_EQ(weft::kind_of(pointer_to(weft::mpi_error("m", 5))), error_kind::mpi);
    EXPECT_EQ(weft::kind_of(pointer_to(weft::wire_error("w"))), error_kind::wire);
    EXPECT_EQ(weft::kind_of(pointer_to(weft::io_error("i"))), error_kind::io);
    EXPECT_EQ(weft::kind_of(pointer_to(weft::remote_error("r", 2))), error_kind::other);
    EXPECT_EQ(weft::kind_of(pointer_to(std::logic_error("l"))), error_kind::other);
    EXPECT_EQ(weft::kind_of(pointer_to(42)), error_kind::other);
}

TEST(error, text_of_is_what_the_exception_says) {
    EXPECT_EQ(weft::text_of(nullptr), "");
    EXPECT_EQ(weft::text_of(pointer_to(weft::io_error("graph.mtx, line 3"))), "graph.mtx, line 3");
    EXPECT_EQ(weft::text_of(pointer_to(std::logic_error("foreign"))), "foreign");
    EXPECT_EQ(weft::text_of(pointer_to(42)), "unknown exception");
    EXPECT_EQ(weft::text_of(pointer_to(weft::wire_error(""))), "");
}

TEST(error, mpi_error_carries_the_code) {
    weft::mpi_error const thrown("MPI_Send: bad rank", 6);
    EXPECT_EQ(thrown.code(), 6);
    EXPECT_STREQ(thrown.what(), "MPI_Send: bad rank");
}

TEST(error, statements_about_the_common_call_are_thrown_remotely_with_type_and_text) {
    try {
        weft::throw_remote(error_kind::usage, 3, "bad destination");
        ADD_FAILURE() << "nothing was thrown";
    } catch (weft::usage_error const& caught) { EXPECT_STREQ(caught.what(), "bad destination"); }
    try {
        weft::throw_remote(error_kind::io, 3, "no such file");
        ADD_FAILURE() << "nothing was thrown";
    } catch (weft::io_error const& caught) { EXPECT_STREQ(caught.what(), "no such file"); }
}

TEST(error, everything_else_is_thrown_remotely_as_remote_error_that_names_the_rank) {
    for (error_kind const kind : {error_kind::mpi, error_kind::wire, error_kind::other}) {
        try {
            weft::throw_remote(kind, 3, "truncated");
            ADD_FAILURE() << "nothing was thrown";
        } catch (weft::remote_error const& caught) {
            EXPECT_EQ(caught.rank(), 3);
            EXPECT_NE(std::string(caught.what()).find("rank 3"), std::string::npos);
            EXPECT_NE(std::string(caught.what()).find("truncated"), std::string::npos);
        }
    }
}
