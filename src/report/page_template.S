/* The pages as binaries, between two symbols each: no compiler has to parse a string of 1.5 MB. */
        .section .rodata
        .global thud_page_begin
        .hidden thud_page_begin
        .global thud_page_end
        .hidden thud_page_end
thud_page_begin:
        .incbin THUD_PAGE
thud_page_end:
        .byte 0
        .global thud_map_page_begin
        .hidden thud_map_page_begin
        .global thud_map_page_end
        .hidden thud_map_page_end
thud_map_page_begin:
        .incbin THUD_MAP_PAGE
thud_map_page_end:
        .byte 0
        .global thud_sweep_page_begin
        .hidden thud_sweep_page_begin
        .global thud_sweep_page_end
        .hidden thud_sweep_page_end
thud_sweep_page_begin:
        .incbin THUD_SWEEP_PAGE
thud_sweep_page_end:
        .byte 0
        .section .note.GNU-stack, "", %progbits
