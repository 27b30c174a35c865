;; The two loops in which training spends its time. scripts/build-kernels.ts turns this into bag-kernel.ts.
;; Every operation is rounded to float32 and done in the same order for each number, so runs repeat to the bit.
(module
  (import "yore" "memory" (memory 1))
  ;; target += row, 16 numbers at a time
  (func (export "addRow") (param $row i32) (param $end i32) (param $target i32)
    loop $along
      local.get $target
      local.get $target
      v128.load
      local.get $row
      v128.load
      f32x4.add
      v128.store
      local.get $target
      local.get $target
      v128.load offset=16
      local.get $row
      v128.load offset=16
      f32x4.add
      v128.store offset=16
      local.get $target
      local.get $target
      v128.load offset=32
      local.get $row
      v128.load offset=32
      f32x4.add
      v128.store offset=32
      local.get $target
      local.get $target
      v128.load offset=48
      local.get $row
      v128.load offset=48
      f32x4.add
      v128.store offset=48
      local.get $target
      i32.const 64
      i32.add
      local.set $target
      local.get $row
      i32.const 64
      i32.add
      local.tee $row
      local.get $end
      i32.lt_u
      br_if $along
    end)
  ;; One step of Adam: mean and square follow the slope, the row goes against their ratio, the slope becomes zero.
  (func (export "stepRow") (param $row i32) (param $end i32) (param $slope i32) (param $mean i32) (param $square i32)
    (param $stride f32) (param $keep f32) (param $take f32) (param $keepSquare f32) (param $takeSquare f32) (param $tiny f32)
    (local $value v128) (local $average v128) (local $spread v128)
    loop $along
      local.get $slope
      v128.load
      local.set $value
      local.get $slope
      v128.const i32x4 0 0 0 0
      v128.store
      local.get $mean
      v128.load
      local.get $keep
      f32x4.splat
      f32x4.mul
      local.get $value
      local.get $take
      f32x4.splat
      f32x4.mul
      f32x4.add
      local.set $average
      local.get $mean
      local.get $average
      v128.store
      local.get $square
      v128.load
      local.get $keepSquare
      f32x4.splat
      f32x4.mul
      local.get $value
      local.get $value
      f32x4.mul
      local.get $takeSquare
      f32x4.splat
      f32x4.mul
      f32x4.add
      local.set $spread
      local.get $square
      local.get $spread
      v128.store
      local.get $row
      local.get $row
      v128.load
      local.get $average
      local.get $stride
      f32x4.splat
      f32x4.mul
      local.get $spread
      f32x4.sqrt
      local.get $tiny
      f32x4.splat
      f32x4.add
      f32x4.div
      f32x4.sub
      v128.store
      local.get $slope
      i32.const 16
      i32.add
      local.set $slope
      local.get $mean
      i32.const 16
      i32.add
      local.set $mean
      local.get $square
      i32.const 16
      i32.add
      local.set $square
      local.get $row
      i32.const 16
      i32.add
      local.tee $row
      local.get $end
      i32.lt_u
      br_if $along
    end))
