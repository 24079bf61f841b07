import { type CSSProperties, useState } from 'react'
import { providerInitials } from '#domain/initials.ts'
import { config } from '#lib/config.ts'
import { logoFailed, logoUrl, rememberFailedLogo } from './logo-service.ts'
import classes from './ProviderLogo.module.css'
import marks from './provider-marks.svg'
import { providerTheme } from './provider-theme.ts'

/** Side lengths in px. */
const SIZES = { xs: 24, sm: 32, line: 40, md: 48, lg: 64, xl: 80 } as const

interface ProviderLogoProps {
  /** The provider's name, as in plan rows and the catalogue. */
  provider: string
  size?: keyof typeof SIZES
}

/**
 * A provider's logo: from the logo service if this deployment has a key, otherwise the bundled mark or a monogram of
 * the initials (R11). It is decoration next to the provider's name, so assistive technology skips it.
 */
export function ProviderLogo({ provider, size = 'md' }: ProviderLogoProps) {
  const [broken, setBroken] = useState<string | null>(null)
  const { name, vars, mark, domain, part } = providerTheme(provider)
  const side = SIZES[size]
  const style = { ...vars, '--logo-size': `${side}px`, '--mark-part': part } as CSSProperties
  const address = logoUrl(config().logoKey, domain, side)
  const drawn = address === null || address === broken || logoFailed(address)

  return (
    <span className={classes.logo} style={style} aria-hidden="true">
      {drawn ? (
        <Mark name={mark} initials={providerInitials(name)} />
      ) : (
        <img
          src={address}
          alt=""
          width={side}
          height={side}
          loading="lazy"
          onError={() => {
            rememberFailedLogo(address)
            setBroken(address)
          }}
        />
      )}
    </span>
  )
}

function Mark({ name, initials }: { name: string | undefined; initials: string }) {
  if (!name)
    return (
      <span className={classes.monogram} data-letters={initials.length}>
        {initials}
      </span>
    )
  return (
    <svg viewBox="0 0 24 24" className={classes.mark} aria-hidden="true">
      <use href={`${marks}#${name}`} />
    </svg>
  )
}
