import { t } from '@lingui/core/macro'
import { Accordion, Button, Container, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Mascot } from '#ui/Mascot.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import classes from './AboutScreen.module.css'
import { benefits, questions, steps } from './about-content.ts'
import { Features } from './FeatureGrid.tsx'

interface AboutScreenProps {
  signedIn: boolean
  /** The fee rate for new plans, such as 0.1; undefined until loaded. */
  feeRate: number | undefined
}

export function AboutScreen({ signedIn, feeRate }: AboutScreenProps) {
  return (
    <Container size="md" className={classes.page}>
      <PageTitle title={t`How It Works`}>
        {t`Everyone brings a share, everyone eats. Average savings are 65-80 percent.`}
      </PageTitle>

      <ol className={classes.steps}>
        {steps.map(({ title, text }, place) => (
          <li key={title} className={classes.step}>
            <span className={classes.number} aria-hidden="true">
              {place + 1}
            </span>
            <div>
              <Title order={2} size="h3">
                {title}
              </Title>
              <Text c="dimmed" mt={4}>
                {text}
              </Text>
            </div>
          </li>
        ))}
      </ol>

      <Title order={2} mb="md">
        {t`Why it’s worth it`}
      </Title>
      <div className={classes.benefits}>
        <Features features={benefits} />
      </div>

      <Title order={2} mb="md">
        {t`Questions people ask`}
      </Title>
      <Accordion
        variant="separated"
        radius="lg"
        mb={56}
        order={3}
        classNames={{ item: classes.question ?? '' }}
      >
        {questions(feeRate).map(({ question, answer }) => (
          <Accordion.Item key={question} value={question}>
            <Accordion.Control>{question}</Accordion.Control>
            <Accordion.Panel>
              <Text c="dimmed">{answer}</Text>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>

      <Stack align="center" gap="sm" pb="xl">
        <Mascot mood="excited" size={104} />
        <Title order={2} ta="center">
          {t`Ready to start saving?`}
        </Title>
        <Button component={Link} to={signedIn ? '/my-subscriptions' : '/'} variant="primary" size="lg">
          {signedIn ? t`Go to My Subscriptions` : t`Start Saving`}
        </Button>
      </Stack>
    </Container>
  )
}
