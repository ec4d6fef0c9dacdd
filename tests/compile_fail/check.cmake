# Compiles `source`. With a line "// expected: SENTENCE" it must fail and the compiler must print the sentence; without
# one it must compile.
file(STRINGS ${source} expected REGEX "^// expected: ")
execute_process(COMMAND ${compiler} -std=c++20 -fsyntax-only -I ${include} -isystem ${eigen} ${source}
  RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT expected)
  if(failed)
    message(FATAL_ERROR "${source} must compile but does not:\n${output}")
  endif()
elseif(NOT failed)
  message(FATAL_ERROR "${source} compiles but must not")
else()
  string(REPLACE "// expected: " "" sentence "${expected}")
  string(FIND "${output}" "${sentence}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "the compiler does not say \"${sentence}\" but:\n${output}")
  endif()
endif()
