/* The page as a binary, between two symbols: no compiler has to parse a string of 1.5 MB. */
        .section .rodata
        .global thud_page_begin
        .hidden thud_page_begin
        .global thud_page_end
        .hidden thud_page_end
thud_page_begin:
        .incbin THUD_PAGE
thud_page_end:
        .byte 0
        .section .note.GNU-stack, "", %progbits
