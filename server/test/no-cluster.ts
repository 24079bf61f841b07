// The embedded run: tests find no cluster and take PGlite.
import type { TestProject } from 'vitest/node'

export default function setup(project: TestProject): void {
  project.provide('clusterUrl', '')
}
