import { operatorNameOf } from '#src/request/caller'
import { about, jsonAnswer, router } from '#src/request/router'
import type { Services } from '#src/services'
import { modelOfDraft, readConfiguration, saveConfiguration } from './configuration'
import { ModelConfig, ModelDraft, ModelTested } from './schema'
import { testModel } from './test-model'

/** API calls for the model that drafts and marks up. Keys are accepted and never returned. */
export function modelApi(services: Services) {
  return router()
    .get('/api/model-config', async () => readConfiguration(services), {
      response: ModelConfig,
      ...about('model', 'Read the model configuration', 'Without keys.'),
    })
    .post(
      '/api/model-config',
      async ({ body, caller, context: { seen } }) => {
        await saveConfiguration(services, { ...body, seen }, operatorNameOf(caller))
        return readConfiguration(services)
      },
      {
        body: ModelDraft,
        response: ModelConfig,
        ...about(
          'model',
          'Save the model configuration',
          'What you leave out stays. An empty key keeps the saved one; a new address needs its key again.',
        ),
      },
    )
    .post(
      '/api/model-config/test',
      async ({ body, context, request }) => {
        const tested = await testModel(await modelOfDraft(services, body), { signal: request.signal })
        if (tested.success) return jsonAnswer(tested)
        const { message, serverSaid, kind } = tested.failure
        return Response.json(
          {
            success: false,
            error: message,
            message,
            code: 'model_test_failed',
            reason: kind,
            serverSaid,
            responseTimeMs: tested.responseTimeMs,
            requestId: context.id,
          },
          { status: 422, headers: { 'cache-control': 'private, no-store' } },
        )
      },
      {
        body: ModelDraft,
        response: ModelTested,
        ...about(
          'model',
          'Try a model configuration without saving it',
          'Asks for one sentence, for 30 seconds at most. A saved key is only sent to the saved address.',
        ),
      },
    )
}
