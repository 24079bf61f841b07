import { Button, Container, Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import classes from './Hero.module.css'
import { HeroTable } from './HeroTable.tsx'

/** A visitor has to sign in first, whichever way they choose. */
export function Hero({ signedIn }: { signedIn: boolean }) {
  return (
    <section className={classes.hero}>
      <Container className={classes.inner}>
        <div className={classes.words}>
          <Title order={1} className={classes.headline}>
            Share subscriptions, split the cost, save together.
          </Title>
          <Text className={classes.lead}>
            One of you brings the plan, everyone brings a share. Potluck finds the people, does the sums and
            keeps the table in order.
          </Text>
          <Group gap="sm" mt="xl" className={classes.actions}>
            <Way to="/create" signedIn={signedIn} variant="primary">
              Share a Subscription
            </Way>
            <Way to="/available-subscriptions" signedIn={signedIn} variant="secondary">
              Subscribe to a Plan
            </Way>
          </Group>
        </div>
        <HeroTable />
      </Container>
    </section>
  )
}

interface WayProps {
  to: '/create' | '/available-subscriptions'
  signedIn: boolean
  variant: string
  children: string
}

/** Straight there, or by way of signing in. The address says where that was leading: it is followed before any script. */
function Way({ to, signedIn, variant, children }: WayProps) {
  return (
    <Button
      variant={variant}
      size="lg"
      renderRoot={(root) =>
        signedIn ? <Link {...root} to={to} /> : <Link {...root} to="/sign-in" search={{ from: to }} />
      }
    >
      {children}
    </Button>
  )
}
