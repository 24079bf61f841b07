import { t } from '@lingui/core/macro'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { Provider } from '#domain/catalogue.ts'
import { ProviderLogo } from '#features/plans/providers/ProviderLogo.tsx'
import basics from './basics.module.css'
import { startCarousel } from './carousel.ts'
import classes from './PopularServices.module.css'
import type { LandingLink } from './parts.ts'

interface PopularServicesProps {
  /** Undefined while loading; the section already has its final height then. */
  services: Provider[] | undefined
  link: LandingLink
}

/** A carousel of services with links to their plans; it moves by three services on a desktop and by one on a phone. */
export function PopularServices({ services, link: Link }: PopularServicesProps) {
  const band = useRef<HTMLElement>(null)
  useEffect(() => {
    if (services && band.current) return startCarousel(band.current)
  }, [services])
  if (services?.length === 0) return null

  return (
    <section
      ref={band}
      className={classes.band}
      aria-labelledby="popular-services"
      aria-busy={!services}
      data-carousel
    >
      <div className={basics.container}>
        <h2 id="popular-services" className={basics.title}>
          {t`Popular Services`}
        </h2>
        <div className={classes.carousel}>
          <div className={classes.row} data-row>
            <ul className={classes.slides}>
              {services?.map(({ id, name }) => (
                <li key={id} className={classes.slide}>
                  <Link to="/plans" service={name} className={`${basics.tile} ${classes.service}`}>
                    <ProviderLogo provider={name} size="lg" />
                    <span className={classes.name}>{name}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </div>
          <button type="button" className={classes.control} aria-label={t`Previous services`} data-way="back">
            <IconChevronLeft size={18} aria-hidden />
          </button>
          <button type="button" className={classes.control} aria-label={t`More services`} data-way="on">
            <IconChevronRight size={18} aria-hidden />
          </button>
        </div>
      </div>
    </section>
  )
}
