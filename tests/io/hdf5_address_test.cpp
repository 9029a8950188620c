#include <io/formats/hdf5_address.hpp>

#include <gtest/gtest.h>

namespace {

using weft::io::hdf5_address_of;

TEST(hdf5_address, is_told_by_the_ending) {
    EXPECT_FALSE(hdf5_address_of("a.nc"));
    EXPECT_EQ(hdf5_address_of("a.H5")->path, "");
    EXPECT_EQ(hdf5_address_of("b.h5/a.hdf5:/x.tif")->file, "b.h5/a.hdf5");
    EXPECT_EQ(hdf5_address_of("b.h5/a.hdf5:/x.tif")->path, "/x.tif");
}

} // namespace
