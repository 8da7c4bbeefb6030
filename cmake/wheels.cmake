# Where packages of PyPI lie: the variable wheels, in the environment that builds the Python module or in .venv.
file(GLOB wheels ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages)
if(THUD_PYTHON)
  find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
  execute_process(COMMAND ${Python_EXECUTABLE} -c "import sys; print(';'.join(sys.path))"
    OUTPUT_VARIABLE wheels OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()
