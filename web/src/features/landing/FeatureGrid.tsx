import { Container, SimpleGrid, Text, ThemeIcon, Title } from '@mantine/core'
import {
  IconBellRinging,
  IconCategory2,
  IconChartLine,
  IconLock,
  IconScissors,
  IconUsersGroup,
} from '@tabler/icons-react'
import classes from './FeatureGrid.module.css'

const features = [
  {
    icon: IconUsersGroup,
    title: 'Group Management',
    text: 'Open slots, accept people, and see who sits at your table.',
  },
  {
    icon: IconScissors,
    title: 'Cost Splitting',
    text: "The provider's price divided fairly, to the cent, the same for everyone.",
  },
  {
    icon: IconChartLine,
    title: 'Payment Tracking',
    text: 'Every share and every coin you earn, in one place.',
  },
  {
    icon: IconBellRinging,
    title: 'Payment Reminders',
    text: 'The next payment is always in sight, in plain words.',
  },
  {
    icon: IconLock,
    title: 'Secure Sharing',
    text: 'Login names are for members only, and passwords are never stored here.',
  },
  {
    icon: IconCategory2,
    title: 'Service Categories',
    text: 'Streaming, music, gaming, productivity, security: find yours in three taps.',
  },
]

export function FeatureGrid() {
  return (
    <section className={classes.section} aria-labelledby="features">
      <Container>
        <Title order={2} id="features" ta="center" mb="xl">
          Everything a shared table needs
        </Title>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="xl" verticalSpacing="xl">
          {features.map(({ icon: Icon, title, text }) => (
            <div key={title} className={classes.feature}>
              <ThemeIcon size={48} radius="md" variant="light" color="clay">
                <Icon size={26} stroke={1.8} />
              </ThemeIcon>
              <div>
                <Title order={3} size="h4">
                  {title}
                </Title>
                <Text c="dimmed" mt={4}>
                  {text}
                </Text>
              </div>
            </div>
          ))}
        </SimpleGrid>
      </Container>
    </section>
  )
}
