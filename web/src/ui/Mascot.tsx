import { useId } from 'react'
import classes from './Mascot.module.css'

/** Calm at first, excited above 20 coins, sparkling above 50; puzzled where a page cannot show what was asked for. */
export type Mood = 'calm' | 'excited' | 'sparkling' | 'puzzled'

interface MascotProps {
  mood?: Mood
  /** Width and height in px. */
  size?: number
  /** The picture's label for screen readers; without it the pot is decorative. */
  label?: string
}

const star = 'M0-7 1.8-1.8 7 0 1.8 1.8 0 7-1.8 1.8-7 0-1.8-1.8Z'

/**
 * The clay pot. Steam rises from it, but not when puzzled; when excited its lid lifts, when sparkling the steam turns to
 * stars.
 */
export function Mascot({ mood = 'calm', size = 120, label }: MascotProps) {
  const gradient = useId()
  const open = mood === 'excited' || mood === 'sparkling'
  const lid = open ? 'translate(3 -9) rotate(7 60 44)' : 'translate(0 0)'
  const drawing = (
    <svg
      viewBox="0 0 120 120"
      width={size}
      height={size}
      className={classes.pot}
      data-mood={mood}
      aria-hidden="true"
    >
      <defs>
        <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#D9693F" />
          <stop offset="1" stopColor="#A93D19" />
        </linearGradient>
      </defs>
      <ellipse cx="60" cy="110" rx="34" ry="4" className={classes.shadow} />
      {mood === 'sparkling' && (
        <g className={classes.stars}>
          <path d={star} transform="translate(38 16)" />
          <path d={star} transform="translate(61 10) scale(1.35)" />
          <path d={star} transform="translate(85 18) scale(.9)" />
        </g>
      )}
      {(mood === 'calm' || mood === 'excited') && (
        <g className={classes.steam}>
          <path d="M48 26c-4-5 4-8 0-14" />
          <path d="M62 23c-4-5 4-8 0-15" />
          <path d="M76 26c-4-5 4-8 0-14" />
        </g>
      )}
      <path d="M24 62c-12-2-14 16-2 19M96 62c12-2 14 16 2 19" className={classes.handles} />
      <path
        d="M24 53h72c3 8 4 14 4 20 0 22-17 36-40 36S20 95 20 73c0-6 1-12 4-20Z"
        fill={`url(#${gradient})`}
      />
      <path d="M30 62c-3 8-3 19 2 27" className={classes.shine} />
      <rect x="20" y="47" width="80" height="11" rx="5.5" fill="#8F3413" />
      {open && <ellipse cx="60" cy="48" rx="35" ry="5.5" className={classes.mouthOfPot} />}
      <g transform={lid} className={classes.lid}>
        <path d="M27 46c3-12 16-18 33-18s30 6 33 18Z" fill="#C2542B" />
        <path d="M36 41c4-6 12-9 21-9.5" className={classes.shine} />
        <circle cx="60" cy="27" r="5" fill="#8F3413" />
      </g>
      <Face mood={mood} />
    </svg>
  )
  if (!label) return drawing
  return (
    <span role="img" aria-label={label} className={classes.named}>
      {drawing}
    </span>
  )
}

function Face({ mood }: { mood: Mood }) {
  return (
    <g>
      <circle cx="36" cy="85" r="5.5" className={classes.cheek} />
      <circle cx="84" cy="85" r="5.5" className={classes.cheek} />
      {mood === 'calm' && (
        <g className={classes.line}>
          <path d="M41 77c2-4 8-4 10 0M69 77c2-4 8-4 10 0" />
          <path d="M53 87c4 4 10 4 14 0" />
        </g>
      )}
      {mood === 'puzzled' && (
        <g>
          <circle cx="46" cy="77" r="3.5" className={classes.eye} />
          <circle cx="74" cy="77" r="3.5" className={classes.eye} />
          <g className={classes.line}>
            <path d="M40 69c3-3 8-3 11-1M54 90c4-2 8-2 12 1" />
          </g>
        </g>
      )}
      {(mood === 'excited' || mood === 'sparkling') && (
        <g>
          <circle cx="46" cy="76" r="4.5" className={classes.eye} />
          <circle cx="74" cy="76" r="4.5" className={classes.eye} />
          <circle cx="47.5" cy="74.5" r="1.5" fill="#fff" />
          <circle cx="75.5" cy="74.5" r="1.5" fill="#fff" />
          <path d="M51 84h18c0 7-4 11-9 11s-9-4-9-11Z" className={classes.mouth} />
        </g>
      )}
    </g>
  )
}
