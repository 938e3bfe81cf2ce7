/* SPDX-License-Identifier: GPL-2.0 */
/* The constants of DWARF 4 and 5 that the reader uses, with their names in DWARF */
#ifndef SIGNATURES_DWARF_CONSTANTS_H
#define SIGNATURES_DWARF_CONSTANTS_H

enum {
	DW_TAG_array_type		= 0x01,
	DW_TAG_enumeration_type		= 0x04,
	DW_TAG_formal_parameter		= 0x05,
	DW_TAG_lexical_block		= 0x0b,
	DW_TAG_member			= 0x0d,
	DW_TAG_pointer_type		= 0x0f,
	DW_TAG_structure_type		= 0x13,
	DW_TAG_subroutine_type		= 0x15,
	DW_TAG_typedef			= 0x16,
	DW_TAG_union_type		= 0x17,
	DW_TAG_unspecified_parameters	= 0x18,
	DW_TAG_inlined_subroutine	= 0x1d,
	DW_TAG_subrange_type		= 0x21,
	DW_TAG_base_type		= 0x24,
	DW_TAG_const_type		= 0x26,
	DW_TAG_enumerator		= 0x28,
	DW_TAG_subprogram		= 0x2e,
	DW_TAG_volatile_type		= 0x35,
	DW_TAG_unspecified_type		= 0x3b,
	DW_TAG_restrict_type		= 0x37,
	DW_TAG_atomic_type		= 0x47,
};

enum {
	DW_UT_compile			= 0x01,
	DW_UT_type			= 0x02,
	DW_UT_partial			= 0x03,
};

enum {
	DW_AT_sibling			= 0x01,
	DW_AT_location			= 0x02,
	DW_AT_name			= 0x03,
	DW_AT_byte_size			= 0x0b,
	DW_AT_bit_offset		= 0x0c,
	DW_AT_bit_size			= 0x0d,
	DW_AT_stmt_list			= 0x10,
	DW_AT_low_pc			= 0x11,
	DW_AT_high_pc			= 0x12,
	DW_AT_language			= 0x13,
	DW_AT_comp_dir			= 0x1b,
	DW_AT_const_value		= 0x1c,
	DW_AT_producer			= 0x25,
	DW_AT_upper_bound		= 0x2f,
	DW_AT_abstract_origin		= 0x31,
	DW_AT_calling_convention	= 0x36,
	DW_AT_count			= 0x37,
	DW_AT_data_member_location	= 0x38,
	DW_AT_decl_file			= 0x3a,
	DW_AT_decl_line			= 0x3b,
	DW_AT_declaration		= 0x3c,
	DW_AT_encoding			= 0x3e,
	DW_AT_external			= 0x3f,
	DW_AT_frame_base		= 0x40,
	DW_AT_specification		= 0x47,
	DW_AT_type			= 0x49,
	DW_AT_ranges			= 0x55,
	DW_AT_call_file			= 0x58,
	DW_AT_call_line			= 0x59,
	DW_AT_data_bit_offset		= 0x6b,
	DW_AT_str_offsets_base		= 0x72,
	DW_AT_addr_base			= 0x73,
	DW_AT_rnglists_base		= 0x74,
	DW_AT_alignment			= 0x88,
	DW_AT_loclists_base		= 0x8c,
};

enum {
	DW_FORM_addr			= 0x01,
	DW_FORM_block2			= 0x03,
	DW_FORM_block4			= 0x04,
	DW_FORM_data2			= 0x05,
	DW_FORM_data4			= 0x06,
	DW_FORM_data8			= 0x07,
	DW_FORM_string			= 0x08,
	DW_FORM_block			= 0x09,
	DW_FORM_block1			= 0x0a,
	DW_FORM_data1			= 0x0b,
	DW_FORM_flag			= 0x0c,
	DW_FORM_sdata			= 0x0d,
	DW_FORM_strp			= 0x0e,
	DW_FORM_udata			= 0x0f,
	DW_FORM_ref_addr		= 0x10,
	DW_FORM_ref1			= 0x11,
	DW_FORM_ref2			= 0x12,
	DW_FORM_ref4			= 0x13,
	DW_FORM_ref8			= 0x14,
	DW_FORM_ref_udata		= 0x15,
	DW_FORM_indirect		= 0x16,
	DW_FORM_sec_offset		= 0x17,
	DW_FORM_exprloc			= 0x18,
	DW_FORM_flag_present		= 0x19,
	DW_FORM_strx			= 0x1a,
	DW_FORM_addrx			= 0x1b,
	DW_FORM_data16			= 0x1e,
	DW_FORM_line_strp		= 0x1f,
	DW_FORM_ref_sig8		= 0x20,
	DW_FORM_implicit_const		= 0x21,
	DW_FORM_loclistx		= 0x22,
	DW_FORM_rnglistx		= 0x23,
	DW_FORM_strx1			= 0x25,
	DW_FORM_strx2			= 0x26,
	DW_FORM_strx3			= 0x27,
	DW_FORM_strx4			= 0x28,
	DW_FORM_addrx1			= 0x29,
	DW_FORM_addrx2			= 0x2a,
	DW_FORM_addrx3			= 0x2b,
	DW_FORM_addrx4			= 0x2c,
};

enum {
	DW_ATE_boolean			= 0x02,
	DW_ATE_float			= 0x04,
	DW_ATE_signed			= 0x05,
	DW_ATE_signed_char		= 0x06,
	DW_ATE_unsigned			= 0x07,
	DW_ATE_unsigned_char		= 0x08,
	DW_ATE_UTF			= 0x10,
};

enum {
	DW_CC_nocall			= 0x03,
};

enum {
	DW_LANG_Mips_Assembler		= 0x8001,
};

enum {
	DW_OP_reg0			= 0x50,
	DW_OP_reg31			= 0x6f,
	DW_OP_breg0			= 0x70,
	DW_OP_breg31			= 0x8f,
	DW_OP_regx			= 0x90,
	DW_OP_fbreg			= 0x91,
	DW_OP_piece			= 0x93,
	DW_OP_call_frame_cfa		= 0x9c,
};

enum {
	DW_RLE_end_of_list		= 0x00,
	DW_RLE_base_addressx		= 0x01,
	DW_RLE_startx_endx		= 0x02,
	DW_RLE_startx_length		= 0x03,
	DW_RLE_offset_pair		= 0x04,
	DW_RLE_base_address		= 0x05,
	DW_RLE_start_end		= 0x06,
	DW_RLE_start_length		= 0x07,
};

enum {
	DW_LLE_default_location		= 0x05,
	DW_LLE_GNU_view_pair		= 0x09,
};

enum {
	DW_LNS_extended			= 0x00,
	DW_LNS_copy			= 0x01,
	DW_LNS_advance_pc		= 0x02,
	DW_LNS_advance_line		= 0x03,
	DW_LNS_set_file			= 0x04,
	DW_LNS_negate_stmt		= 0x06,
	DW_LNS_const_add_pc		= 0x08,
	DW_LNS_fixed_advance_pc		= 0x09,
};

enum {
	DW_LNE_end_sequence		= 0x01,
	DW_LNE_set_address		= 0x02,
};

enum {
	DW_LNCT_path			= 0x01,
	DW_LNCT_directory_index		= 0x02,
};

#endif /* SIGNATURES_DWARF_CONSTANTS_H */
