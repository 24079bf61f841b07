import { Anchor, Container, Stack, Text, Title } from '@mantine/core'
import { PageTitle } from '#ui/PageTitle.tsx'

export interface LegalSection {
  title: string
  text: string
  /** The URL to which the text links. */
  href?: string | undefined
}

interface LegalPageProps {
  title: string
  summary: string
  sections: LegalSection[]
}

/** A short text in sections, laid out for reading. */
export function LegalPage({ title, summary, sections }: LegalPageProps) {
  return (
    <Container size="sm" py="xl">
      <PageTitle title={title}>{summary}</PageTitle>
      <Stack gap="lg" component="article">
        {sections.map((section) => (
          <section key={section.title}>
            <Title order={2} size="h3" mb={6}>
              {section.title}
            </Title>
            <Text lh={1.65} style={{ overflowWrap: 'anywhere' }}>
              {section.href ? <Anchor href={section.href}>{section.text}</Anchor> : section.text}
            </Text>
          </section>
        ))}
      </Stack>
    </Container>
  )
}
