/* The page as a binary, between two symbols. */
        .section .rodata
        .global thud_studio_page_begin
        .hidden thud_studio_page_begin
        .global thud_studio_page_end
        .hidden thud_studio_page_end
thud_studio_page_begin:
        .incbin THUD_STUDIO_PAGE
thud_studio_page_end:
        .byte 0
        .section .note.GNU-stack, "", %progbits
