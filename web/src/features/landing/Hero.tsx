import { Button, Container, Group, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import classes from './Hero.module.css'
import { HeroTable } from './HeroTable.tsx'

/** LAND-01..03. A visitor has to sign in first, whichever way they choose. */
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
            <Button component={Link} {...wayTo('/create', signedIn)} variant="primary" size="lg">
              Share a Subscription
            </Button>
            <Button
              component={Link}
              {...wayTo('/available-subscriptions', signedIn)}
              variant="secondary"
              size="lg"
            >
              Subscribe to a Plan
            </Button>
          </Group>
        </div>
        <HeroTable />
      </Container>
    </section>
  )
}

/** Straight there, or by way of signing in, which remembers where it was leading. */
const wayTo = (target: string, signedIn: boolean) =>
  signedIn ? { to: target } : { to: '/sign-in', state: { from: target } }
