// Output as it goes to a client, as one whole WebSocket frame that is written at once: see PacedSocket.sendFrame.
import { dataHeaderBytes, writeDataHeader, type OutputData } from "../../protocol/live-frames.ts";

// Of RFC 6455: a whole binary message in one frame, which a server does not mask.
const binaryMessage = 0x82;

/** Of some of the data, or of all. */
export function outputFrame(
  { stream, at, offset, bytes }: Omit<OutputData, "kind">,
  from = 0,
  byteCount: number = bytes.length,
): Buffer {
  const length = dataHeaderBytes + byteCount;
  const start = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = binaryMessage;
  if (start === 2) frame[1] = length;
  else if (start === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeUInt32BE(0, 2); // no message is over 4 GiB
    frame.writeUInt32BE(length, 6);
  }
  writeDataHeader(frame, start, stream, offset + from, at);
  frame.set(
    byteCount === bytes.length ? bytes : bytes.subarray(from, from + byteCount),
    start + dataHeaderBytes,
  );
  return frame;
}
