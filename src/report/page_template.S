/* The page as it stands on disk, between two names: no compiler has to read a string of 1.5 MB. */
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
