// memfit - SPDX-License-Identifier: Apache-2.0
#include "model/checkpoint.h"

namespace memfit {
namespace {

// Bits in whole bytes, rounded up.
Bytes bitsToBytes(Count bits) { return bits.ceilDiv(8); }

}  // namespace

Bytes storedBytesOf(const Model& model, const TensorGroup& group) {
  const TensorInventory& inventory = model.inventory;
  const Quantization& q = model.quantization;
  if (!quantizes(q, group)) return inventory.bytesOf(group, model.checkpointFormat);

  const Count tensors = inventory.tensorsOf(group);
  Bytes bytes = bitsToBytes(group.elements() * q.bits);
  // Scales: one a block of the row, one a 2-D block, or one a row.
  Count scales = group.rows;
  if (q.blockRows > 0 && q.blockCols > 0) {
    scales = group.rows.ceilDiv(q.blockRows) * group.cols.ceilDiv(q.blockCols);
  } else if (q.groupSize > 0) {
    scales = group.rows * group.cols.ceilDiv(q.groupSize);
  }
  if (q.doubleQuantized) {
    // bitsandbytes: 8-bit scales, an fp32 scale for every 256 of them (QLoRA, arXiv 2305.14314).
    bytes += scales + scales.ceilDiv(256) * 4;
  } else {
    bytes += bitsToBytes(scales * q.scaleBits);
  }
  if (q.zeroPoints) {
    bytes += bitsToBytes(scales * (q.method == QuantMethod::kMlx ? q.scaleBits : q.bits));
  }
  if (q.groupIndex) bytes += group.cols * 4;
  return tensors * bytes;
}

Bytes checkpointBytes(const Model& model) {
  if (model.stored) return model.stored->bytes;
  Bytes sum = 0;
  for (const TensorGroup& group : model.inventory.groups()) sum += storedBytesOf(model, group);
  return sum;
}

}  // namespace memfit
