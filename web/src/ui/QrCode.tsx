import { encode } from 'uqr'
import classes from './QrCode.module.css'

interface QrCodeProps {
  text: string
  /** The purpose of the code, for people who cannot scan it. */
  label: string
}

/** A QR code: black on white in both colour schemes, with the margin of four modules that scanners need. */
export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  return (
    <svg viewBox={`0 0 ${size} ${size}`} className={classes.code} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={darkRuns(data)} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}

/** An SVG path with one bar for each run of dark modules in a row. */
function darkRuns(rows: boolean[][]): string {
  return rows
    .flatMap((row, y) =>
      row.flatMap((dark, x) => {
        if (!dark || row[x - 1]) return []
        const end = row.indexOf(false, x)
        return `M${x} ${y}h${(end < 0 ? row.length : end) - x}v1H${x}z`
      }),
    )
    .join('')
}
