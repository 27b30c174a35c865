;; Adds one row of the static table, times a weight, to a sum. scripts/build-kernels.ts turns this into sum-kernel.ts.
;; A row holds two signed 4-bit numbers per byte, the low one first; the sum holds one float32 per number.
;; Each product and each sum is rounded to float32, as the plain version does, so both give the same bits.
(module
  (import "yore" "memory" (memory 1))
  (func (export "addRow") (param $row i32) (param $end i32) (param $sum i32) (param $weight f32)
    (local $bytes v128) (local $low v128) (local $high v128) (local $ordered v128) (local $half v128) (local $scale v128)
    local.get $weight
    f32x4.splat
    local.set $scale
    loop $along
      local.get $row
      v128.load
      local.tee $bytes
      i32.const 4
      i8x16.shl
      i32.const 4
      i8x16.shr_s
      local.set $low
      local.get $bytes
      i32.const 4
      i8x16.shr_s
      local.set $high
      ;; numbers 0 to 15
      local.get $low
      local.get $high
      i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23
      local.set $ordered
      local.get $ordered
      i16x8.extend_low_i8x16_s
      local.set $half
      local.get $sum
      local.get $sum
      v128.load
      local.get $half
      i32x4.extend_low_i16x8_s
      f32x4.convert_i32x4_s
      local.get $scale
      f32x4.mul
      f32x4.add
      v128.store
      local.get $sum
      local.get $sum
      v128.load offset=16
      local.get $half
      i32x4.extend_high_i16x8_s
      f32x4.convert_i32x4_s
      local.get $scale
      f32x4.mul
      f32x4.add
      v128.store offset=16
      local.get $ordered
      i16x8.extend_high_i8x16_s
      local.set $half
      local.get $sum
      local.get $sum
      v128.load offset=32
      local.get $half
      i32x4.extend_low_i16x8_s
      f32x4.convert_i32x4_s
      local.get $scale
      f32x4.mul
      f32x4.add
      v128.store offset=32
      local.get $sum
      local.get $sum
      v128.load offset=48
      local.get $half
      i32x4.extend_high_i16x8_s
      f32x4.convert_i32x4_s
      local.get $scale
      f32x4.mul
      f32x4.add
      v128.store offset=48
      ;; numbers 16 to 31
      local.get $low
      local.get $high
      i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31
      local.set $ordered
      local.get $ordered
      i16x8.extend_low_i8x16_s
      local.set $half
      local.get $sum
      local.get $sum
      v128.load offset=64
      local.get $half
      i32x4.extend_low_i16x8_s
      f32x4.convert_i32x4_s
      local.get $scale
      f32x4.mul
      f32x4.add
      v128.store offset=64
      local.get $sum
      local.get $sum
      v128.load offset=80
      local.get $half
      i32x4.extend_high_i16x8_s
      f32x4.convert_i32x4_s
      local.get $scale
      f32x4.mul
      f32x4.add
      v128.store offset=80
      local.get $ordered
      i16x8.extend_high_i8x16_s
      local.set $half
      local.get $sum
      local.get $sum
      v128.load offset=96
      local.get $half
      i32x4.extend_low_i16x8_s
      f32x4.convert_i32x4_s
      local.get $scale
      f32x4.mul
      f32x4.add
      v128.store offset=96
      local.get $sum
      local.get $sum
      v128.load offset=112
      local.get $half
      i32x4.extend_high_i16x8_s
      f32x4.convert_i32x4_s
      local.get $scale
      f32x4.mul
      f32x4.add
      v128.store offset=112
      local.get $sum
      i32.const 128
      i32.add
      local.set $sum
      local.get $row
      i32.const 16
      i32.add
      local.tee $row
      local.get $end
      i32.lt_u
      br_if $along
    end))
