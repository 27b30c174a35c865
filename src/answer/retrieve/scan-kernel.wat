;; Integer dot products of one query with many rows of int4.
;; scripts/build-kernels.ts turns this into scan-kernel.ts.
;; The query lies in memory as int16, two bytes per dimension; a row takes $bytes bytes, a multiple of 16. Of 16 bytes
;; the low halves are the first 16 of 32 dimensions, and the high halves are the others.
;; Sums are 32-bit and wrap, as the plain version's do, so both give the same bits.
(module
  (import "yore" "memory" (memory 1))
  (func (export "scan")
    (param $query i32) (param $rows i32) (param $end i32) (param $bytes i32) (param $scores i32)
    (local $at i32) (local $stop i32) (local $both v128) (local $row v128) (local $sum v128) (local $more v128)
    loop $each
      v128.const i32x4 0 0 0 0
      local.set $sum
      v128.const i32x4 0 0 0 0
      local.set $more
      local.get $query
      local.set $at
      local.get $rows
      local.get $bytes
      i32.add
      local.set $stop
      loop $along
        ;; dimensions 0 to 15
        local.get $rows
        v128.load
        local.tee $both
        i32.const 4
        i8x16.shl
        i32.const 4
        i8x16.shr_s
        local.tee $row
        i16x8.extend_low_i8x16_s
        local.get $at
        v128.load
        i32x4.dot_i16x8_s
        local.get $sum
        i32x4.add
        local.set $sum
        local.get $row
        i16x8.extend_high_i8x16_s
        local.get $at
        v128.load offset=16
        i32x4.dot_i16x8_s
        local.get $more
        i32x4.add
        local.set $more
        ;; dimensions 16 to 31
        local.get $both
        i32.const 4
        i8x16.shr_s
        local.tee $row
        i16x8.extend_low_i8x16_s
        local.get $at
        v128.load offset=32
        i32x4.dot_i16x8_s
        local.get $sum
        i32x4.add
        local.set $sum
        local.get $row
        i16x8.extend_high_i8x16_s
        local.get $at
        v128.load offset=48
        i32x4.dot_i16x8_s
        local.get $more
        i32x4.add
        local.set $more
        local.get $at
        i32.const 64
        i32.add
        local.set $at
        local.get $rows
        i32.const 16
        i32.add
        local.tee $rows
        local.get $stop
        i32.lt_u
        br_if $along
      end
      local.get $sum
      local.get $more
      i32x4.add
      local.set $sum
      local.get $scores
      local.get $sum
      i32x4.extract_lane 0
      local.get $sum
      i32x4.extract_lane 1
      i32.add
      local.get $sum
      i32x4.extract_lane 2
      i32.add
      local.get $sum
      i32x4.extract_lane 3
      i32.add
      i32.store
      local.get $scores
      i32.const 4
      i32.add
      local.set $scores
      local.get $rows
      local.get $end
      i32.lt_u
      br_if $each
    end))
