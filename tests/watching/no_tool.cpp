/// A library without the functions of a tool.
extern "C" int weft_test_no_tool() {
    return 0;
}
