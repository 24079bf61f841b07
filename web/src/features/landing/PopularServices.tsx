import { Carousel } from '@mantine/carousel'
import { Container, Skeleton, Text, Title } from '@mantine/core'
import { useMediaQuery, useReducedMotion } from '@mantine/hooks'
import { type ComponentType, useState } from 'react'
import type { Provider } from '#domain/catalogue.ts'
import { popularServices } from '#domain/showcase.ts'
import classes from './PopularServices.module.css'

interface PopularServicesProps {
  providers: Provider[]
  /** Draws a provider's mark. */
  logo: ComponentType<{ provider: string; size: 'lg' }>
}

const AT_ONCE = { getInitialValueInEffect: false }

/** Seventeen services in a loop, three at a step on a desktop and one on a phone. */
export function PopularServices({ providers, logo: Logo }: PopularServicesProps) {
  const [services] = useState(() => alreadyShown(providers) ?? popularServices(providers, Math.random))
  const desktop = useMediaQuery('(min-width: 48em)', false, AT_ONCE)
  const still = useReducedMotion(false, AT_ONCE)
  return (
    <section className={classes.band} aria-labelledby="popular-services">
      <Container className={classes.inner}>
        <Title order={2} id="popular-services" ta="center" mb="lg">
          Popular Services
        </Title>
        <Carousel
          slideSize={{ base: '44%', xs: '30%', sm: '20%', md: '15%' }}
          slideGap="sm"
          controlSize={44}
          controlsOffset={0}
          withKeyboardEvents
          previousControlProps={{ 'aria-label': 'Previous services' }}
          nextControlProps={{ 'aria-label': 'More services' }}
          emblaOptions={{
            loop: true,
            slidesToScroll: desktop ? 3 : 1,
            align: 'start',
            dragFree: false,
            duration: still ? 0 : 22,
          }}
          classNames={{
            slide: classes.slide ?? '',
            controls: classes.controls ?? '',
            control: classes.control ?? '',
          }}
        >
          {services.map(({ id, name }) => (
            <Carousel.Slide key={id}>
              <div className={classes.service} data-service={name}>
                <Logo provider={name} size="lg" />
                <Text size="sm" fw={550} ta="center" truncate maw="100%">
                  {name}
                </Text>
              </div>
            </Carousel.Slide>
          ))}
        </Carousel>
      </Container>
    </section>
  )
}

/** The services of the page built ahead, in their order: nothing should jump when the app takes over. */
function alreadyShown(providers: readonly Provider[]): Provider[] | undefined {
  if (typeof document === 'undefined') return undefined
  const ahead = document.querySelectorAll<HTMLElement>('#root[data-ahead] [data-service]')
  const names = Array.from(ahead, ({ dataset }) => dataset.service)
  const services = names.flatMap((shown) => providers.find(({ name }) => name === shown) ?? [])
  return services.length > 0 ? services : undefined
}

/** The same band while the services are on their way, at the same height. */
export function PopularServicesSkeleton() {
  return (
    <section className={classes.band} aria-busy="true" aria-label="Popular Services">
      <Container>
        <Title order={2} ta="center" mb="lg">
          Popular Services
        </Title>
        <Skeleton height={145} radius="lg" />
      </Container>
    </section>
  )
}
