import { Button, Container, Group, Text, Title, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Mascot } from '#ui/Mascot.tsx'
import classes from './ClosingCall.module.css'

export function ClosingCall({ signedIn }: { signedIn: boolean }) {
  return (
    <section className={classes.section} aria-labelledby="closing-call">
      <Container size="sm">
        <div className={classes.pot}>
          <Mascot mood="sparkling" size={132} />
        </div>
        <Title order={2} id="closing-call" ta="center" className={classes.title}>
          There is a place for you
        </Title>
        <Text ta="center" c="dimmed" mt="xs" size="lg">
          Bring a plan you pay for anyway, or take a seat at someone else's.
        </Text>
        <Group justify="center" mt="lg" gap="sm">
          {signedIn ? (
            <Button
              variant="primary"
              size="lg"
              onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}
            >
              Get Started
            </Button>
          ) : (
            <Button component={Link} to="/signin" variant="primary" size="lg">
              Get Started
            </Button>
          )}
          <Button component={Link} to="/about" variant="secondary" size="lg">
            {/* A link read on its own says where it leads. */}
            Learn More <VisuallyHidden>about how sharing works</VisuallyHidden>
          </Button>
        </Group>
      </Container>
    </section>
  )
}
