"""The seam for another sampler: a module of vLLM's interface gets the weights of the moment under transformers' names, and its logprobs are held against the trainer's."""

import sys
from types import SimpleNamespace

import pytest
import torch
import transformers

from shapewright.recipes.backbone.body import Body
from shapewright.recipes.backbone.gpt2 import GPT2Shape
from shapewright.recipes.policy.language_model import ActorCritic, LanguageModel
from shapewright.recipes.policy.rollout import Drawing, Group, observe
from shapewright.recipes.policy.samplers import VLLM, gap, own
from shapewright.recipes.policy.sampling import uniforms
from shapewright.recipes.settings import UsageError

SHAPE = GPT2Shape(vocab_size=11, n_positions=16, n_embd=8, n_layer=1, n_head=2)
EOS = 0


class Engine:
    """Writes what transformers' model finds likeliest, with the weights that it was given."""

    def __init__(self, model, **how):
        self.model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**SHAPE.config())).eval()
        runner = SimpleNamespace(model=self)
        self.llm_engine = SimpleNamespace(
            model_executor=SimpleNamespace(driver_worker=SimpleNamespace(model_runner=runner))
        )

    def load_weights(self, weights):
        missing, unknown = self.model.load_state_dict(dict(weights), strict=False)
        assert missing == ["lm_head.weight"] and not unknown  # tied
        self.model.tie_weights()

    def reset_prefix_cache(self):
        pass

    @torch.no_grad()
    def generate(self, prompts, asked, use_tqdm):
        return [SimpleNamespace(outputs=[self.written(*each)]) for each in zip(prompts, asked)]

    def written(self, prompt, asked):
        ids, told = list(prompt["prompt_token_ids"]), []
        while len(told) < asked.max_tokens and (not told or ids[-1] != EOS):
            logprobs_V = (self.model(torch.tensor([ids])).logits[0, -1] / asked.temperature).log_softmax(-1)
            ids.append(int(logprobs_V.argmax()))
            told.append({ids[-1]: SimpleNamespace(logprob=float(logprobs_V.max()))})
        return SimpleNamespace(token_ids=tuple(ids[-len(told) :]), logprobs=told)


def test_another_sampler_writes_with_the_weights_of_the_moment(monkeypatch, tmp_path):
    monkeypatch.setitem(
        sys.modules, "vllm", SimpleNamespace(LLM=Engine, SamplingParams=lambda **how: SimpleNamespace(**how))
    )
    torch.manual_seed(0)
    actor = ActorCritic(LanguageModel(Body.tiny(SHAPE)), None)
    drawing = Drawing(EOS, 4, temperature=0.7)
    sampler, gaps = VLLM(tmp_path), []
    for _update in range(2):
        groups = [Group([3, 4], []), Group([5], [])]
        sampler(actor, groups, uniforms(4, 4, 1).view(2, 2, 4), drawing)
        assert all(len(group.answers) == 2 and all(map(len, group.answers)) for group in groups)
        observe(groups, actor, actor.policy, drawing.temperature, 2)
        gaps.append(gap(groups))
        with torch.no_grad():
            for parameter in actor.parameters():
                parameter.add_(0.1 * torch.randn_like(parameter))
    assert max(gaps) < 1e-5  # before and after the weights changed
    observe(groups, actor, actor.policy, drawing.temperature, 2)
    assert gap(groups) > 1e-3  # what stale weights look like


def test_our_own_sampler_tells_no_logprobs():
    torch.manual_seed(0)
    actor, groups = ActorCritic(LanguageModel(Body.tiny(SHAPE)), None), [Group([3], [])]
    own(actor, groups, uniforms(1, 4, 1).view(1, 1, 4), Drawing(EOS, 4))
    assert groups[0].answers[0] and gap(groups) is None


def test_without_vllm_there_is_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "vllm", None)
    with pytest.raises(UsageError, match="needs vLLM, which is not installed"):
        VLLM(tmp_path)
