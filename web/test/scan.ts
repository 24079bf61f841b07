import jsQR from 'jsqr'

/** Pixels per module of a QR code. */
const SCALE = 4

/** Decodes a QR code drawn as SVG: white, and black along the path. */
export function scan(svg: Element): string | undefined {
  const size = Number(svg.getAttribute('viewBox')?.split(' ')[2]) * SCALE
  const data = new Uint8ClampedArray(size * size * 4).fill(255)
  const path = svg.querySelector('path')?.getAttribute('d') ?? ''
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)/g))
    for (let row = Number(y) * SCALE; row < (Number(y) + 1) * SCALE; row += 1)
      for (let column = Number(x) * SCALE; column < (Number(x) + Number(length)) * SCALE; column += 1)
        data.fill(0, (row * size + column) * 4, (row * size + column) * 4 + 3)
  return jsQR(data, size, size)?.data
}
